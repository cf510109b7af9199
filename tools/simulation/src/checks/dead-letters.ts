import { parseInboxSubject } from '@reins/contracts';
import type { DeadMessage, Server } from '../server/server.ts';
import type { Check } from './common.ts';

/**
 * Codes that may be dead-lettered: messages that crashed their owner five times, messages to unknown runs, and answers
 * to breakpoints that the gateway would have refused. A run is unknown only before its submit.
 */
const MAY_DIE: ReadonlySet<string> = new Set(['delivery_crashed', 'run_unknown', 'answer_invalid']);

/** Permanent failures to start a workspace process. They fail its run. */
const NOT_STARTED: ReadonlySet<string> = new Set(['process_crashed', 'process_timed_out']);

/** Why an assignment may be rejected. */
const NOT_ASSIGNED: ReadonlySet<string> = new Set([
  ...NOT_STARTED,
  'process_already_assigned',
  'process_export_missing',
  'request_ended',
  'request_invalid',
]);

const mayDie = (code: string, subject: string): boolean =>
  MAY_DIE.has(code) ||
  (NOT_STARTED.has(code) && subject.includes('.run.submit.')) ||
  (NOT_ASSIGNED.has(code) && subject.includes('.run.assign.'));

/** Whether the submit of the run came before the message, and did not fail. Then the message waits for the run to start. */
function followsSubmit({ code, id, subject }: DeadMessage, { dead: all, inbox: { messages } }: Server): boolean {
  const run = code === 'run_unknown' ? parseInboxSubject(subject) : undefined;
  if (!run) return false;
  const submit = messages.find((message) => message.subject.endsWith(`.run.submit.${run.workspaceId}.${run.runId}`));
  const first = messages.find((message) => message.id === id && message.subject === subject);
  const hasFailed = submit && all.some((letter) => letter.subject === submit.subject);
  return submit !== undefined && first !== undefined && !hasFailed && submit.seq < first.seq;
}

export const dead: Check = ({ deadMessages, server }) =>
  deadMessages
    .filter((letter) => !mayDie(letter.code, letter.subject) || followsSubmit(letter, server))
    .map(({ code, id, message, subject }) => ({ message: `dead letter ${subject} (${id}): ${code}: ${message}` }));
