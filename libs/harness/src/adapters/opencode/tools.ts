import type { HarnessRun } from '../../contract.ts';

/** The tools of OpenCode that a run can have. OpenCode offers `edit` and `write` together. */
const TOOLS = ['read', 'bash', 'edit', 'write'] as const;
/** Every name under which a run can request a built-in tool. */
export const OPENCODE_TOOL_NAMES: readonly string[] = TOOLS;
/** The tool that OpenCode offers instead of `edit` and `write` to some models. */
export const PATCH_TOOL = 'apply_patch';
/** The prefix that OpenCode adds to the tools of the server with this number. */
export const serverName = (index: number): string => `reins${index === 0 ? '' : index + 1}`;

/** The permissions of OpenCode that a run needs for its built-in tools. `edit` includes `write` and `apply_patch`. */
export function toolPermissions(run: Pick<HarnessRun, 'tools'>): readonly string[] {
  const requested = new Set(run.tools ?? TOOLS);
  const changesFiles = requested.has('edit') || requested.has('write');
  return [...(['read', 'bash'] as const).filter((name) => requested.has(name)), ...(changesFiles ? ['edit'] : [])];
}

/** The built-in tools that the model of a run is offered. */
export function opencodeTools(run: Pick<HarnessRun, 'tools' | 'modelId'>): readonly string[] {
  return toolPermissions(run).flatMap((name) => (name === 'edit' ? changeTools(run.modelId) : [name]));
}

/** OpenCode offers patches to newer models of OpenAI. */
const changeTools = (modelId: string): readonly string[] =>
  modelId.includes('gpt-') && !modelId.includes('oss') && !modelId.includes('gpt-4') ? [PATCH_TOOL] : ['edit', 'write'];

/** The name of a tool without the prefix that OpenCode adds to the tools of a server. */
export function ownToolName({ mcpServers }: Pick<HarnessRun, 'mcpServers'>, name: string): string {
  const served = mcpServers.flatMap(({ tools }, index) =>
    tools.map((tool) => ({ own: tool.name, offered: `${serverName(index)}_${tool.name.replace(/[^\w-]/g, '_')}` })),
  );
  return served.find(({ offered }) => offered === name)?.own ?? name;
}
