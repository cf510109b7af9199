import { defined, type LastRun, type SessionState, type Turn } from '@reins/contracts';
import type { ChangedFile, Loaded, RecentRuntime, SessionResume } from './types.ts';

/** The number of turns that a prompt includes in full. Of older turns, only the user messages are included. */
const FULL_TURNS = 4;
const MAX_SUMMARY = 320;
const SUMMARY_LINES = 3;

/** The contexts that are derived from the session state. */
export interface SessionContexts {
  readonly recent_runtime: Loaded<RecentRuntime>;
  readonly session_resume: Loaded<SessionResume>;
}

/** Derives both contexts from the session state in the request. */
export function sessionContexts(session: SessionState): SessionContexts {
  return { recent_runtime: recentRuntime(session), session_resume: sessionResume(session) };
}

/**
 * What a stage does not know yet that continues its conversation: the turns after the last request that is part of it.
 * Everything, if that request is older than the turns that the session keeps.
 */
export function unseenSession(session: SessionState, lastSeen: string): SessionState {
  const { turns = [], lastRun, endedStages = [] } = session;
  const index = turns.findIndex(({ requestId }) => requestId === lastSeen);
  if (index < 0) return session;
  const isUnseen = lastRun !== undefined && lastRun.requestId !== lastSeen;
  const unseenStages = endedStages.filter(({ requestId }) => requestId !== lastSeen);
  return { turns: turns.slice(index + 1), ...(isUnseen && { lastRun }), endedStages: unseenStages };
}

/** How the previous run ended. */
function recentRuntime({ turns, lastRun }: SessionState): Loaded<RecentRuntime> {
  const last = turns?.at(-1);
  if (lastRun !== undefined && lastRun.status !== 'completed') {
    const { question } = lastRun;
    return {
      status: 'loaded',
      value: { ...stopOf(lastRun), ...defined({ open_question: question }) },
    };
  }
  return last === undefined ? { status: 'empty' } : { status: 'loaded', value: { summary: summaryOf(last) } };
}

function stopOf({ status, reason }: LastRun): RecentRuntime {
  if (status === 'failed') return { last_stop_reason: 'failed', last_error: reason ?? null };
  return { last_stop_reason: reason === undefined ? 'cancelled' : `cancelled: ${reason}` };
}

/** The state of the session: its compaction boundary, its latest turns, and earlier user messages. */
export function sessionResume({ turns = [], compactionBoundary }: SessionState): Loaded<SessionResume> {
  if (turns.length === 0 && compactionBoundary === undefined) return { status: 'empty' };
  // The recent turns include their messages.
  const [first] = turns.length > FULL_TURNS && compactionBoundary === undefined ? turns : [];
  const value: SessionResume = {
    ...(first && { goal: first.input }),
    recent_turns: turns.slice(-FULL_TURNS).map(({ requestId, input, output, endedAt }) => ({
      input_id: requestId,
      status: 'completed',
      summary: `${input}\nAnswer: ${output}`,
      completed_at: endedAt,
    })),
    recent_user_messages: turns
      .slice(0, -FULL_TURNS)
      .map(({ input }) => input)
      .reverse(),
    ...defined({ compaction_boundary_summary: compactionBoundary }),
  };
  return { status: 'loaded', value };
}

/** The state of the session for an executor that has not seen its work: with the files that were changed. */
export function withChangedFiles(resume: Loaded<SessionResume>, files: readonly ChangedFile[]): Loaded<SessionResume> {
  if (files.length === 0) return resume;
  const value = resume.status === 'loaded' ? resume.value : { recent_turns: [] };
  return { status: 'loaded', value: { ...value, files_changed: files } };
}

/** The first lines that are not blank. */
function summaryOf({ output }: Turn): string {
  const lines = output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(0, SUMMARY_LINES);
  return lines.join(' ').slice(0, MAX_SUMMARY);
}
