import { ReinsError } from '@reins/contracts';

/**
 * Thrown when another owner appended to the run, or may do so. The actor must be dropped. The message that was being
 * handled is not at fault: the run's next owner handles it.
 */
export class Fenced extends ReinsError {
  constructor(runId: string) {
    super({ code: 'partition_moved', message: 'the run has another owner', path: runId });
  }
}

/**
 * Thrown for a message to a run that has not started: it is queued in its session, or its submit has not arrived.
 * The message that starts it may come later in the inbox, so this message gives way to it.
 */
export class RunNotStarted extends ReinsError {
  constructor(message: string) {
    super({ code: 'service_unavailable', message, path: 'requestId' });
  }
}
