import type { RunTool } from '@reins/tool-gateway';

const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
/** The most tools whose hints are listed. */
const MAX_TOOLS = 500;

/** What servers say about their tools, without texts: a server is not trusted. */
export type ToolHints = Partial<Record<(typeof HINTS)[number], boolean>>;

/** The hints of the tools that have some, by the id of the tool. */
export function toolHints(tools: readonly Pick<RunTool, 'toolId' | 'declaration'>[]): Record<string, ToolHints> {
  const all = tools.slice(0, MAX_TOOLS).map(({ toolId, declaration: { annotations = {} } }) => {
    const given = HINTS.filter((name) => typeof annotations[name] === 'boolean');
    return [toolId, Object.fromEntries(given.map((name) => [name, annotations[name]])) as ToolHints] as const;
  });
  return Object.fromEntries(all.filter(([, hints]) => Object.keys(hints).length > 0));
}
