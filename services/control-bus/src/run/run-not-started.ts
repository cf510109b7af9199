import { ReinsError } from '@reins/contracts';

/**
 * Thrown for a message to a run that has not started: it is queued in its session, or its submit has not arrived.
 * The message that starts it may come later in the inbox, so this message gives way to it.
 */
export class RunNotStarted extends ReinsError {
  constructor(message: string) {
    super({ code: 'service_unavailable', message, path: 'requestId' });
  }
}
