/** Inquest as a process, with the waits of a test: the jobs of a killed worker go to the next one soon. */
import { pino } from 'pino';
import { parseServiceConfig } from '../../dist/config/service.js';
import { startInquest } from '../../dist/main.js';

const config = parseServiceConfig(process.env);
const logger = pino({ level: config.log_level });
const inquest = await startInquest(config, { logger, clock: { now: Date.now }, pollMs: 250, lockMs: 1000 });
process.once('SIGTERM', () => inquest.close().then(() => process.exit(0)));
