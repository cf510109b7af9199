import { type Bus, lastMessageOn, readSubject } from '@reins/bus';
import {
  HEADERS,
  heldSubject,
  inboxSubject,
  isObject,
  journalSubject,
  parseJson,
  type RunAddress,
  type SessionRecord,
} from '@reins/contracts';

const SUBMIT = 'command.run.submit';

/**
 * Whether something in the streams starts or continues the request: its command in the inbox, a held message, its place
 * in the queue of its session, or its journal. A request moves through them in this order, so they are read in it, too. The
 * record of the gateway starts nothing.
 */
export async function isStartable(
  bus: Bus,
  { sessionId, ...run }: RunAddress & { readonly sessionId: string },
  partitions: number,
): Promise<boolean> {
  if ((await lastMessageOn(bus, 'INBOX', inboxSubject({ ...run, type: SUBMIT }, partitions))) !== undefined)
    return true;
  for await (const message of readSubject(bus, 'INBOX', heldSubject(run, partitions)))
    if (message.header(HEADERS.type) === SUBMIT) return true;
  if (await isQueued(bus, run, sessionId)) return true;
  return (await lastMessageOn(bus, 'JOURNAL', journalSubject(run, partitions))) !== undefined;
}

/** Whether the session has the command of the request. A running one is started again with it. */
async function isQueued(bus: Bus, { workspaceId, runId }: RunAddress, sessionId: string): Promise<boolean> {
  const message = await lastMessageOn(bus, 'KV_sessions', `$KV.sessions.${workspaceId}.${sessionId}`);
  const record = message && message.data.length > 0 ? parseJson(message.data) : undefined;
  if (!isObject(record)) return false;
  const { running, queued = [] } = record as unknown as Partial<SessionRecord>;
  return [running, ...queued].some((turn) => turn?.requestId === runId && turn.submitRef !== undefined);
}
