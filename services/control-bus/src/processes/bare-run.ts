import { BARE_RUN } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';

/** What drives a request that has no process yet: nothing. It asks for nothing until `command.run.assign` gives it one. */
export const bareRun: BuiltInProcess = { id: BARE_RUN, codeHash: 'none', run: () => new Promise(() => undefined) };
