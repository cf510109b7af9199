import type { HarnessRun } from '../../contract.ts';

/** The tools of Codex. Its shell is also how it reads files. */
export type CodexTool = 'exec_command' | 'apply_patch';

/** The names of Codex's tools by their name in requests. */
export const NATIVE_TOOL_NAMES: Readonly<Record<string, CodexTool>> = {
  bash: 'exec_command',
  edit: 'apply_patch',
  write: 'apply_patch',
};
const TOOLS: readonly CodexTool[] = ['exec_command', 'apply_patch'];

/** Every name under which a run can request a built-in tool. */
export const CODEX_TOOL_NAMES = [...Object.keys(NATIVE_TOOL_NAMES), ...TOOLS];

/** The built-in tools that are available to a run. */
export function codexTools({ tools }: Pick<HarnessRun, 'tools'>): readonly CodexTool[] {
  if (tools === undefined) return TOOLS;
  const requested = new Set<string>(
    tools.map((name) => (Object.hasOwn(NATIVE_TOOL_NAMES, name) ? NATIVE_TOOL_NAMES[name] : name) as string),
  );
  return TOOLS.filter((name) => requested.has(name));
}
