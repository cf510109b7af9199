import {
  type CommandRunSubmit,
  defined,
  isObject,
  type JsonObject,
  type ProcessRef,
  ReinsError,
} from '@reins/contracts';
import type { LargeValues } from '../large/large-values.ts';
import type { RunState } from '../state/run-state.ts';
import type { Entry } from './entry.ts';

/** The process id in the journal of a run that has no process yet. */
export const BARE_RUN = 'bare-run';

/** Whether the id names workspace code, `<path>#<export>`, and not a built-in process. */
export const isAuthored = (id: string): boolean => /\.[cm]?[jt]s(?:#|$)/.test(id);

/** Whether a process receives the input of its request unchanged. Built-in processes receive `PipelineInputs`. */
export const takesRawInput = (id: string): boolean => isAuthored(id) || id === BARE_RUN;

/** The options of a request next to its input. Authored processes read them as `ctx.request`; child runs inherit them. */
export type RequestOptions = Pick<CommandRunSubmit, 'attachments' | 'model' | 'thinkingValue' | 'stages' | 'metadata'>;

export const requestOptionsOf = ({
  attachments,
  model,
  thinkingValue,
  stages,
  metadata,
}: RequestOptions): RequestOptions => defined({ attachments, model, thinkingValue, stages, metadata });

/** The input and the options of a request. */
export type RunRequest = Pick<CommandRunSubmit, 'input'> & RequestOptions;

/** Restores the request from the inputs of a run, whatever its process. */
export function requestOfRun({
  process,
  inputs,
  metadata = {},
}: Pick<RunState, 'process' | 'inputs' | 'metadata'>): RunRequest {
  if (takesRawInput(process.id)) return { ...requestOptionsOf(metadata as RequestOptions), input: inputs };
  if (!isObject(inputs)) return { input: inputs };
  return { ...requestOptionsOf(inputs as RequestOptions), input: inputs.input ?? null };
}

/**
 * The process and the request that a run started with: those of its last assignment, or of its submission.
 * @param entries from the first one of the run
 * @throws ReinsError `journal_corrupt` without a first entry; those of `values`
 */
export async function startedWith(
  entries: readonly Entry[],
  values: Pick<LargeValues, 'get'>,
): Promise<{ readonly process: ProcessRef; readonly request: RunRequest }> {
  const start = entries.findLast(isStart);
  if (!start) throw new ReinsError({ code: 'journal_corrupt', message: 'the journal has no RUN_CREATED entry' });
  const { process, inputsRef, metadata } = start.data;
  const inputs = inputsRef ? await values.get(inputsRef) : (start.data.inputs ?? null);
  return { process, request: requestOfRun({ process, inputs, ...(metadata && { metadata: metadata as JsonObject }) }) };
}

/** A process that continued as new assigned itself: such an entry has no `previous`, and no request. */
const isStart = (entry: Entry): entry is Entry<'RUN_CREATED' | 'PROCESS_ASSIGNED'> =>
  entry.type === 'RUN_CREATED' || (entry.type === 'PROCESS_ASSIGNED' && entry.data.previous !== undefined);
