import { BARE_RUN } from '@reins/journal';
import type { ProcessDefinition } from '@reins/replay';

/** The placeholder process of a run without a process: requests nothing and never ends. */
export function bareProcess(): ProcessDefinition {
  return { id: BARE_RUN, codeHash: 'none', run: () => new Promise(() => undefined) };
}
