import { memoryStream, streamJournalStore } from '@reins/journal';
import { LocalRun } from '@reins/replay';
import { Sandbox } from '../sandbox.ts';

/** A program that owns a run of the process in the given folder. Tests kill it. */
const sandbox = new Sandbox({ turnMs: 600_000 });
const definition = await sandbox.process({ root: process.argv[2] ?? '', path: 'main.mjs', exportName: 'process' });
const run = { workspaceId: 'local', runId: 'run-1' };
await LocalRun.create({ store: streamJournalStore(memoryStream()), run, definition }, { inputs: null });
