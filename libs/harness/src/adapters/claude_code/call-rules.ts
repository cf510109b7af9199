import { join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { type AllowedFolders, boundaryViolation } from '../../files/work-boundary.ts';
import { decideCall, refusalOf as refusedBy } from '../../tools/decide-call.ts';
import { claudeTools, servedTools } from './tools.ts';

const ADVICE = 'Use only paths in the working directory. Only the author of the request can allow other paths.';

/** Why a call of a tool of Claude Code is refused; undefined when it may run. */
export function refusalOf(run: HarnessRun, tool: string, args: JsonObject): string | undefined {
  const builtin = claudeTools(run);
  const offered = [...builtin, ...servedTools(run).map(({ offered: name }) => name)];
  const refused = refusedBy(decideCall(tool, { has: (name) => offered.includes(name), needsApproval: () => false }));
  if (refused !== undefined || run.allowOutsideWorkDir === true || !builtin.includes(tool)) return refused;
  const folders: AllowedFolders = [run.workDir, join(run.homeDir, 'tmp')];
  const { command, file_path, path = file_path ?? '.' } = args;
  const call = tool === 'Bash' ? { tool: 'bash', input: { command } } : { tool: 'read', input: { path } };
  const reason = boundaryViolation(call, folders);
  return reason === undefined ? undefined : `permission denied by workspace boundary policy: ${reason}. ${ADVICE}`;
}
