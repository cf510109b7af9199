import { boundaryViolation, type ToolCall } from '../../files/work-boundary.ts';
import { decideCall, refusalOf as refusedBy } from '../../tools/decide-call.ts';

/** What a run may call. */
export interface CallRules {
  /** The names under which the model is offered all tools of the run. */
  readonly tools: readonly string[];
  /** Whether the built-in tools may use only the folders of the run. */
  readonly isConfined: boolean;
}

const ADVICE = 'Use only paths in the working directory. Only the author of the request can allow other paths.';
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+)$/gm;

/** Why a call of a tool of OpenCode is refused; undefined when it may run. The relay in OpenCode loads this module. */
export function refusalOf(
  tool: string,
  args: unknown,
  { tools, isConfined }: CallRules,
  folders: readonly [string, ...string[]] = ownFolders(),
): string | undefined {
  const refused = refusedBy(decideCall(tool, { has: (name) => tools.includes(name), needsApproval: () => false }));
  if (refused !== undefined || !isConfined) return refused;
  const [reason] = callsOf(tool, args).flatMap((call) => boundaryViolation(call, folders) ?? []);
  return reason === undefined ? undefined : `permission denied by workspace boundary policy: ${reason}. ${ADVICE}`;
}

function ownFolders(): readonly [string, ...string[]] {
  const { TMPDIR } = process.env;
  return TMPDIR === undefined ? [process.cwd()] : [process.cwd(), TMPDIR];
}

/** A call of OpenCode in the terms of the boundary. */
function callsOf(tool: string, args: unknown): readonly ToolCall[] {
  const { filePath, command, workdir, patchText } = args as Readonly<Record<string, unknown>>;
  if (tool === 'apply_patch')
    return [...String(patchText).matchAll(PATCHED)].map(([, path]) => ({ tool: 'write', input: { path } }));
  return tool === 'bash' ? [{ tool, input: { command, cwd: workdir } }] : [{ tool, input: { path: filePath } }];
}
