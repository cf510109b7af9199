import type { JsonValue, SessionState } from '@reins/contracts';
import type { RunState } from '@reins/journal';
import type { ProcessContext, ProcessDefinition } from '@reins/replay';
import type { PipelineInputs } from './pipeline-inputs.ts';

/** The parts of the run's first entry that a built-in process depends on. */
export interface RunStart {
  readonly agentId: string;
  readonly revision: string;
  readonly session: SessionState;
  readonly inputs: PipelineInputs;
}

/** A process that is part of this installation. */
export interface BuiltInProcess extends Pick<ProcessDefinition, 'id' | 'codeHash' | 'onError'> {
  readonly run: (context: ProcessContext, start: RunStart) => Promise<JsonValue>;
}

/** Adapts a built-in process to the replay engine, for one run. */
export function definitionFor(
  { run, ...definition }: BuiltInProcess,
  { agentId, revision, session }: Pick<RunState, 'agentId' | 'revision' | 'session'>,
): ProcessDefinition {
  return {
    ...definition,
    run: (context, inputs) => run(context, { agentId, revision, session, inputs: inputs as unknown as PipelineInputs }),
  };
}
