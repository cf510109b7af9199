import type { HarnessCapabilities } from '@reins/runtime-config';

const TOOL = 'tool:';

/**
 * What preparation needs to know, from the names that a host gives in its offer. Structured output is checked by the host for every
 * runtime. A skill is a folder of the workspace: whoever reaches its files, or the tool gateway, can use it; a command is a file of it. The
 * other surfaces are the executor's own. Of a runtime that nobody offers at this moment only what all of them have is assumed.
 */
export function harnessCapabilities(names: readonly string[]): HarnessCapabilities {
  const can = (name: string): boolean => names.includes(name);
  const builtinTools = names.flatMap((name) => (name.startsWith(TOOL) ? [name.slice(TOOL.length)] : []));
  return {
    modelClient: names.length === 0 || can('model') ? 'required' : 'optional',
    structuredOutput: true,
    mcpTools: can('mcp'),
    skills: can('skills') || can('mcp') || can('editsFiles'),
    commands: can('commands') || can('editsFiles'),
    browserTools: can('browserTools'),
    runtimeTools: can('runtimeTools'),
    waitingUser: can('waitingUser'),
    images: can('images'),
    ...(builtinTools.length > 0 && { builtinTools }),
  };
}
