import { ReinsError } from '@reins/contracts';

/**
 * A word to a run that has not begun: it waits for its turn in its session, or its command is on its way. Either way what begins it
 * may lie behind this message in the inbox.
 */
export class RunNotStarted extends ReinsError {
  constructor(message: string) {
    super({ code: 'service_unavailable', message, path: 'requestId' });
  }
}
