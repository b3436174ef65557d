/** Takes the pictures of docs/pictures from the demo's pages: `npm run docs:pictures`. Needs Chromium. */
import { mkdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { type Browser, chromium } from 'playwright-core';
import { runOf } from '../demo/follow.ts';
import { samplePulls } from '../demo/sample.ts';
import { type Stage, setStage } from '../demo/stage.ts';

const FOLDER = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const RUN_TIMEOUT_MS = 120_000;
const LARGEST_BYTES = 300_000;

/** The pull request whose comment is shown. */
const SHOWN = '1-parcel-rates';

/** Name of the file, and how its part of the page is found. */
interface Picture {
  readonly name: string;
  readonly url: string;
  readonly part: string;
}

async function picturesOf(stage: Stage): Promise<Picture[]> {
  const pull = (await samplePulls()).find((one) => one.slug === SHOWN);
  if (pull === undefined) throw new Error(`demo/sample has no pull request ${SHOWN}.`);
  const opened = await stage.openPull(pull);
  if ((await runOf(stage.inquest.store, opened.headSha, RUN_TIMEOUT_MS)) === null)
    throw new Error(`No run of ${SHOWN} ended within ${RUN_TIMEOUT_MS / 1000} s.`);
  await stage.github.idle();
  const check = stage.github.state.checkRuns.find(
    (run) => run.name === 'Inquest' && run.suite.headSha === opened.headSha,
  );
  if (check === undefined) throw new Error('Inquest wrote no check run.');
  const { owner, name } = stage.repository;
  return [
    { name: 'comment', url: opened.url, part: 'article.entry:has(.badge)' },
    { name: 'check', url: `${stage.github.url}/${owner}/${name}/runs/${check.id}`, part: 'main' },
  ];
}

/** Space around the part, in CSS pixels. */
const MARGIN = 12;

/** Sharp on dense displays, and narrow enough for GitHub's page. */
async function take(browser: Browser, { name, url, part }: Picture): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1200 }, deviceScaleFactor: 1.5 });
  await page.goto(url);
  const box = await page.locator(part).last().boundingBox();
  if (box === null) throw new Error(`${url} shows no ${part}.`);
  const clip = {
    x: box.x - MARGIN,
    y: box.y - MARGIN,
    width: box.width + 2 * MARGIN,
    height: box.height + 2 * MARGIN,
  };
  const path = `${FOLDER}${name}.png`;
  await page.screenshot({ path, fullPage: true, clip });
  await page.close();
  const { size } = await stat(path);
  if (size > LARGEST_BYTES) throw new Error(`${path} has ${size} bytes; ${LARGEST_BYTES} is the most.`);
  process.stdout.write(`docs/pictures/${name}.png  ${Math.ceil(size / 1000)} kB\n`);
}

const stage = await setStage({ logger: pino({ level: 'silent' }), sandbox: 'bubblewrap', port: 0 });
const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
try {
  await mkdir(FOLDER, { recursive: true });
  for (const picture of await picturesOf(stage)) await take(browser, picture);
} finally {
  await browser.close();
  await stage.close();
}
