import type { HarnessCapabilities } from '@reins/runtime-config';

const TOOL = 'tool:';
const NATIVE = /^native:([^=]+)=(.+)$/;

/**
 * Derives the capabilities of a harness from the names in a host's offer. Structured output is validated by the host
 * for every runtime. A skill is a workspace folder, so it requires access to files or the tool gateway; a command is a
 * workspace file. For a runtime without an offer, only the common capabilities are assumed.
 */
export function harnessCapabilities(names: readonly string[]): HarnessCapabilities {
  const has = (name: string): boolean => names.includes(name);
  const builtinTools = names.flatMap((name) => (name.startsWith(TOOL) ? [name.slice(TOOL.length)] : []));
  const nativeNames = names.flatMap((name) => {
    const [, tool, native] = NATIVE.exec(name) ?? [];
    return tool !== undefined && native !== undefined ? [[tool, native] as const] : [];
  });
  return {
    modelClient: names.length === 0 || has('model') ? 'required' : 'optional',
    structuredOutput: true,
    mcpTools: has('mcp'),
    skills: has('skills') || has('mcp') || has('editsFiles'),
    commands: has('commands') || has('editsFiles'),
    browserTools: has('browserTools'),
    runtimeTools: has('runtimeTools'),
    waitingUser: has('waitingUser'),
    images: has('images'),
    ...(names.length > 0 && { toolSelection: has('toolSelection') }),
    ...(builtinTools.length > 0 && { builtinTools }),
    ...(nativeNames.length > 0 && { nativeToolNames: Object.fromEntries(nativeNames) }),
  };
}
