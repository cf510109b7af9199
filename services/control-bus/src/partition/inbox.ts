import type { BusMessage, Consumption, InboxOptions } from '@reins/bus';
import { type Problem, parseEvent, parseInboxSubject, ReinsError, type RunAddress } from '@reins/contracts';
import { type Trigger, triggerOf } from '../run/decide/trigger.ts';

/** The parts of an inbox message that a partition uses. */
export type InboxMessage = Pick<
  BusMessage,
  'subject' | 'data' | 'seq' | 'deliveries' | 'event' | 'clearPoisonSuspicion'
>;

/** The running consumption of a partition's inbox. */
export type Inbox = Pick<Consumption, 'closed' | 'isBusy' | 'pause' | 'stop'>;

/** How the messages of an inbox are handled. Messages of one run are handled in order. */
export interface InboxConsumerOptions extends Pick<InboxOptions, 'lease' | 'leases' | 'concurrency'> {
  readonly handler: (message: InboxMessage) => Promise<void>;
  /**
   * Stores a message outside of the inbox: it has no place in memory, or its handling keeps failing with this problem.
   */
  readonly hold: (message: InboxMessage, problem: Problem | undefined) => Promise<void>;
  /** Called when no message of this run is left in memory. */
  readonly onIdle: (runId: string) => void;
  /** Called before a message is dead-lettered. */
  readonly onDead: (message: InboxMessage, problem: Problem) => Promise<void>;
}

/**
 * The run and the trigger of an inbox message.
 * @param inline resolves a body that is stored as a blob
 * @throws ReinsError `subject_invalid`, `message_invalid`, `event_type_unknown`
 */
export async function readTrigger(
  { data, event, subject }: InboxMessage,
  inline: (body: Uint8Array) => Promise<Uint8Array>,
): Promise<{ readonly run: RunAddress; readonly trigger: Trigger }> {
  const address = parseInboxSubject(subject);
  if (!address)
    throw new ReinsError({ code: 'subject_invalid', message: `${subject} is not an inbox subject`, path: subject });
  const body = parseEvent(await inline(data));
  if (body.requestId !== address.runId || body.workspaceId !== address.workspaceId || body.type !== address.type)
    throw new ReinsError({ code: 'message_invalid', message: 'the body does not match the subject', path: subject });
  const { workspaceId, runId } = address;
  return { run: { workspaceId, runId }, trigger: triggerOf(event.id, body) };
}
