import type { JsonValue, SessionState } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import type { ProcessContext, ProcessDefinition } from '@reins/replay';
import type { PipelineInputs } from './pipeline-inputs.ts';

/** What a built-in process is started with: of the run's first entry, what its decisions depend on. */
export interface RunStart {
  readonly revision: string;
  readonly session: SessionState;
  readonly inputs: PipelineInputs;
}

/** A process that is part of this installation. */
export interface BuiltInProcess extends Pick<ProcessDefinition, 'id' | 'codeHash' | 'onError'> {
  readonly run: (context: ProcessContext, start: RunStart) => Promise<JsonValue>;
}

/** The process as the replay engine drives it for one run. */
export function definitionFor(
  { run, ...definition }: BuiltInProcess,
  { revision, session }: Pick<RunState, 'revision' | 'session'>,
): ProcessDefinition {
  return {
    ...definition,
    run: (context, inputs) => run(context, { revision, session, inputs: inputs as unknown as PipelineInputs }),
  };
}
