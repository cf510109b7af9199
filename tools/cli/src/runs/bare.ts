import { BARE_RUN } from '@reins/journal';
import type { ProcessDefinition } from '@reins/replay';

/** The process of a run that has none yet: asks for nothing and never ends. */
export function bareProcess(): ProcessDefinition {
  return { id: BARE_RUN, codeHash: 'none', run: () => new Promise(() => undefined) };
}
