import { join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { listOf, objectOf, textOf } from '../../execution/json.ts';
import { type AllowedFolders, boundaryViolation, type ToolCall } from '../../files/work-boundary.ts';
import { decideCall, refusalOf } from '../../tools/decide-call.ts';
import { scriptOf } from './shell-word.ts';
import { type CodexTool, codexTools } from './tools.ts';

const ADVICE = 'Use only paths in the working directory. Only the author of the request can allow other paths.';

/** Returns why a command of Codex is refused; undefined when it may run. */
export const refuseCommand = (run: HarnessRun, command: string): string | undefined =>
  refusal(run, 'exec_command', [{ tool: 'bash', input: { command: scriptOf(command) } }]);

/** Returns why a change of files is refused; undefined when it may be applied. `item` is the call. */
export const refuseChange = (run: HarnessRun, item: JsonObject): string | undefined =>
  refusal(
    run,
    'apply_patch',
    pathsOf(item).map((path) => ({ tool: 'write', input: { path } })),
  );

/** The paths that a change creates, changes, removes or moves to. */
export const pathsOf = (item: JsonObject): string[] =>
  listOf(item.changes).flatMap((change) => {
    const { path, kind } = objectOf(change);
    return [textOf(path), textOf(objectOf(kind).move_path)].filter((one) => one !== '');
  });

function refusal(run: HarnessRun, name: CodexTool, calls: readonly ToolCall[]): string | undefined {
  const offered: readonly string[] = codexTools(run);
  const decision = decideCall(name, { has: (tool) => offered.includes(tool), needsApproval: () => false });
  const refused = refusalOf(decision);
  if (refused !== undefined || run.allowOutsideWorkDir === true) return refused;
  const folders: AllowedFolders = [run.workDir, join(run.homeDir, 'tmp')];
  const [reason] = calls.flatMap((call) => boundaryViolation(call, folders) ?? []);
  return reason === undefined ? undefined : `permission denied by workspace boundary policy: ${reason}. ${ADVICE}`;
}
