import { BARE_RUN } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';

/** The process of a request that has none yet. It requests nothing until `command.run.assign` replaces it. */
export const bareRun: BuiltInProcess = { id: BARE_RUN, codeHash: 'none', run: () => new Promise(() => undefined) };
