import type { SessionState, StageSession } from '@reins/contracts';

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

/** The session of an executor that a stage continues. */
export interface ContinuedSession {
  readonly harnessSessionId: string;
  /**
   * The last request that is part of it, if the run inherited it. Never the request of the run itself: a retry and a fork
   * have the same entries under another id.
   */
  readonly requestId?: string;
}

/**
 * The executors' sessions of one run: those of its own stages, else those that it inherits. A run of an earlier version
 * inherits one for each runtime, and does not continue its own.
 */
export class StageSessions {
  /** Whether a version that keeps sessions for stages started the run. Its journal may have the values that follow. */
  readonly isCurrent: boolean;
  readonly #inherited: SessionState;
  readonly #own = new Map<string, string>();

  constructor(inherited: SessionState) {
    this.#inherited = inherited;
    this.isCurrent = inherited.stageSessions !== undefined;
  }

  find(key: StageSessionKey): ContinuedSession | undefined {
    const { stageSessions, harnessSessions = {} } = this.#inherited;
    const own = this.#own.get(keyOf(key)) ?? (stageSessions ? undefined : harnessSessions[key.runtimeId]);
    if (own !== undefined) return { harnessSessionId: own };
    const found = stageSessions?.find((session) => keyOf(session) === keyOf(key));
    return found && { harnessSessionId: found.harnessSessionId, requestId: found.requestId };
  }

  /** A stage of the run has ended with this session. */
  add(key: StageSessionKey, harnessSessionId: string): void {
    if (this.isCurrent) this.#own.set(keyOf(key), harnessSessionId);
  }
}
