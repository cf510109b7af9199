import type { ProcessDefinition } from '@reins/replay';

/** The process of a run that has none yet: asks for nothing and never ends. */
export function bareProcess(): ProcessDefinition {
  return { id: 'bare-run', codeHash: 'none', run: () => new Promise(() => undefined) };
}
