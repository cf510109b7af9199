import { join } from 'node:path';
import type { JsonObject } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { textOf } from '../../execution/json.ts';
import { type AllowedFolders, boundaryViolation, type ToolCall } from '../../files/work-boundary.ts';
import { decideCall, refusalOf as refusedBy } from '../../tools/decide-call.ts';
import { hermesTools, servedTools } from './tools.ts';

const ADVICE = 'Use only paths in the working directory. Only the author of the request can allow other paths.';
const PATCHED = /^\*\*\* (?:(?:Add|Update|Delete) File|Move (?:to|File)): (.+)$/gm;

/** Why a call of a tool of Hermes is refused; undefined when it may run. */
export function refusalOf(run: HarnessRun, tool: string, args: JsonObject): string | undefined {
  const offered = [...hermesTools(run), ...servedTools(run).map(({ offered: name }) => name)];
  const refused = refusedBy(decideCall(tool, { has: (name) => offered.includes(name), needsApproval: () => false }));
  if (refused !== undefined || run.allowOutsideWorkDir === true) return refused;
  const folders: AllowedFolders = [run.workDir, join(run.homeDir, 'tmp')];
  const [reason] = callsOf(tool, args).flatMap((call) => boundaryViolation(call, folders) ?? []);
  return reason === undefined ? undefined : `permission denied by workspace boundary policy: ${reason}. ${ADVICE}`;
}

/** A call of Hermes in the terms of the boundary. */
function callsOf(tool: string, args: JsonObject): readonly ToolCall[] {
  const { path = '.', command, workdir } = args;
  switch (tool) {
    case 'terminal':
      return [{ tool: 'bash', input: { command, cwd: workdir } }];
    case 'patch':
      return [
        { tool: 'write', input: { path } },
        ...[...textOf(args.patch).matchAll(PATCHED)].map(([, patched]) => ({
          tool: 'write',
          input: { path: patched },
        })),
      ];
    case 'read_file':
    case 'search_files':
      return [{ tool: 'read', input: { path } }];
    case 'write_file':
      return [{ tool: 'write', input: { path } }];
    default:
      return [];
  }
}
