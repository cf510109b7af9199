import type { SessionState, Stage, StageSession } from '@reins/contracts';

/** What identifies the conversation of an executor within a session. */
export type StageSessionKey = Pick<StageSession, 'agentId' | 'stage' | 'runtimeId'>;

/** The sessions with these added. A later one replaces an earlier one of the same agent, stage and runtime. */
export function withStageSessions(
  before: readonly StageSession[],
  added: readonly StageSession[],
): readonly StageSession[] {
  const byKey = new Map([...before, ...added].map((session) => [keyOf(session), session]));
  return [...byKey.values()];
}

const keyOf = ({ agentId, stage, runtimeId }: StageSessionKey): string => `${agentId} ${stage} ${runtimeId}`;

const legacySession = (harnessSessionId: string | undefined): ContinuedSession | undefined =>
  harnessSessionId === undefined ? undefined : { harnessSessionId };

/** The session of an executor that a stage continues. */
export interface ContinuedSession {
  readonly harnessSessionId: string;
  /** The last request that is part of it. Unknown in requests of earlier versions. */
  readonly requestId?: string;
}

/**
 * The executors' sessions of one run: those that it inherits, then those of its own stages. A run of an earlier version
 * has one for each runtime, and does not continue its own.
 */
export class StageSessions {
  readonly #legacy: Readonly<Record<string, string>>;
  #sessions: readonly StageSession[] | undefined;

  constructor({ stageSessions, harnessSessions = {} }: SessionState) {
    this.#sessions = stageSessions;
    this.#legacy = harnessSessions;
  }

  /** Whether a version that keeps sessions for stages started the run. Its journal may have the values that follow. */
  get isCurrent(): boolean {
    return this.#sessions !== undefined;
  }

  find(key: StageSessionKey): ContinuedSession | undefined {
    if (!this.#sessions) return legacySession(this.#legacy[key.runtimeId]);
    const found = this.#sessions.find((session) => keyOf(session) === keyOf(key));
    return found && { harnessSessionId: found.harnessSessionId, requestId: found.requestId };
  }

  /** A stage of the run has ended with this session. */
  add(key: { readonly agentId: string; readonly stage: Stage; readonly runtimeId: string }, ended: ContinuedSession) {
    if (!this.#sessions) return;
    const { harnessSessionId, requestId = '' } = ended;
    this.#sessions = withStageSessions(this.#sessions, [{ ...key, harnessSessionId, requestId }]);
  }
}
