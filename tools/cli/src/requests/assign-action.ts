import { defined } from '@reins/contracts';
import { folder } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { inputsOption } from '../runs/values.ts';
import { assignToRequest } from './assign.ts';

export interface AssignFlags {
  readonly process: string;
  readonly inputs?: string;
  readonly force?: boolean;
  readonly reason?: string;
}

/** `reins requests assign`. @param dir the folder of the workspace with the code; default: the revision of the request */
export async function assign(
  context: CliContext,
  requestId: string,
  dir: string | undefined,
  { process, inputs, force, reason }: AssignFlags,
): Promise<ExitCode> {
  const previous = await assignToRequest(context, requestId, {
    process,
    ...(dir !== undefined && { dir: folder(dir) }),
    ...(inputs !== undefined && { inputs: inputsOption(inputs) }),
    ...(force && { force }),
    ...defined({ reason }),
  });
  if (context.json) printJson(context, { requestId, process, previous, status: 'assigned' });
  else context.note(`assigned the process ${process} to ${requestId}`);
  return EXIT.ok;
}
