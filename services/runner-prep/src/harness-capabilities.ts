import type { HarnessCapabilities } from '@reins/runtime-config';

/**
 * What preparation needs to know, from the names that a host gives in its offer. Structured output is checked by the host for every
 * runtime; the other surfaces are the executor's own.
 */
export function harnessCapabilities(names: readonly string[]): HarnessCapabilities {
  const can = (name: string): boolean => names.includes(name);
  return {
    modelClient: 'required',
    structuredOutput: true,
    mcpTools: can('mcp'),
    skills: can('skills'),
    commands: can('commands'),
    browserTools: can('browserTools'),
    runtimeTools: can('runtimeTools'),
    waitingUser: can('waitingUser'),
    images: can('images'),
  };
}
