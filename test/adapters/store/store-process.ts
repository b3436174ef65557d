/** Another process at the same database. Arguments: `migrate` or `commit`, database URL (or nothing), data folder, run id. */
import { openStore } from '../../../src/adapters/store/open-store.ts';
import { aChange, anEvent } from './builders.ts';

const [task, databaseUrl, dataDir = '', runId = ''] = process.argv.slice(2);
const store = await openStore({ databaseUrl: databaseUrl || null, dataDir, clock: { now: Date.now } });
await store.migrate();

/** Commits until killed; each commit is four events and a new text of one artifact. */
async function commitForever(): Promise<never> {
  for (;;) {
    const run = await store.findRun(runId);
    if (!run) throw new Error(`There is no run ${runId}.`);
    const events = [1, 2, 3, 4].map((part) => anEvent({ payload: { part, version: run.version } }));
    const artifacts = [{ name: 'version', content: String(run.version + 1) }];
    await store.commit(aChange(run, { events, artifacts }));
    console.log(`committed ${run.version}`);
  }
}

if (task === 'commit') await commitForever();
await store.close();
