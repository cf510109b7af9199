import { type EventType, isEventType } from '../catalogue/catalogue.ts';
import { defined } from '../defined.ts';
import { ReinsError } from '../errors/reins-error.ts';
import { DEFAULT_PARTITIONS, partitionOf } from './partitions.ts';
import { assertToken, isToken } from './tokens.ts';

/** The ids of a run that its subjects contain. */
export interface RunAddress {
  readonly workspaceId: string;
  readonly runId: string;
}

/** `journal.<p>.<ws>.<run>` */
export function journalSubject(run: RunAddress, partitions: number = DEFAULT_PARTITIONS): string {
  return `journal.${partitionOf(run.runId, partitions)}.${runTokens(run)}`;
}

/** Parses a journal subject. Returns undefined for any other subject. */
export const parseJournalSubject = (subject: string): (RunAddress & { partition: number }) | undefined =>
  parseRunSubject('journal', subject);

/** Parses `<root>.<p>.<ws>.<run>`. */
function parseRunSubject(root: string, subject: string): (RunAddress & { partition: number }) | undefined {
  const [first, p, workspaceId, runId, ...rest] = subject.split('.');
  const partition = partitionToken(p);
  if (first !== root || rest.length > 0 || partition === undefined || !isToken(workspaceId) || !isToken(runId))
    return undefined;
  return { workspaceId, runId, partition };
}

/** The parts of an inbox subject. */
export interface InboxAddress extends RunAddress {
  readonly type: EventType;
  readonly effectId?: string;
}

/** `inbox.<p>.<type>.<ws>.<run>[.<effect>]` */
export function inboxSubject(address: InboxAddress, partitions: number = DEFAULT_PARTITIONS): string {
  const effect = address.effectId === undefined ? '' : `.${assertToken(address.effectId, 'effectId')}`;
  return `inbox.${partitionOf(address.runId, partitions)}.${address.type}.${runTokens(address)}${effect}`;
}

/** Inbox types that concern the whole run. The subject of every other type ends in an effect id. */
const ABOUT_RUN = /^command\./;

/** Parses an inbox subject. Returns undefined for any other subject. */
export function parseInboxSubject(subject: string): (InboxAddress & { partition: number }) | undefined {
  const tokens = subject.split('.');
  if (tokens.shift() !== 'inbox') return undefined;
  const partition = partitionToken(tokens.shift());
  const effectId = ABOUT_RUN.test(tokens.join('.')) ? undefined : tokens.pop();
  const [workspaceId, runId] = tokens.splice(-2);
  const type = tokens.join('.');
  if (partition === undefined || !isEventType(type) || !isToken(workspaceId) || !isToken(runId)) return undefined;
  if (effectId !== undefined && !isToken(effectId)) return undefined;
  return { partition, type, workspaceId, runId, ...defined({ effectId }) };
}

/** `schedule.<p>.<ws>.<run>.<effect>.<timer>`: subject of a timer until the server publishes it to the inbox. */
export function scheduleSubject(
  run: RunAddress,
  effectId: string,
  timer: string,
  partitions: number = DEFAULT_PARTITIONS,
): string {
  return `schedule.${partitionOf(run.runId, partitions)}.${runTokens(run)}.${assertToken(effectId, 'effectId')}.${assertToken(timer, 'timer')}`;
}

/** A filter for all timers of a run. */
export function scheduleSubjects(run: RunAddress, partitions: number = DEFAULT_PARTITIONS): string {
  return `schedule.${partitionOf(run.runId, partitions)}.${runTokens(run)}.>`;
}

/** `held.<p>.<ws>.<run>`: the messages of a run that its owner cannot handle yet. */
export function heldSubject(run: RunAddress, partitions: number = DEFAULT_PARTITIONS): string {
  return `held.${partitionOf(run.runId, partitions)}.${runTokens(run)}`;
}

/** Parses a subject of held messages. Returns undefined for any other subject. */
export const parseHeldSubject = (subject: string): (RunAddress & { partition: number }) | undefined =>
  parseRunSubject('held', subject);

/**
 * The value of a request's `reins-reply` header: the inbox subject of the answer, with `$` in place of the answer's
 * type.
 */
export function replyTemplate(run: RunAddress, effectId: string, partitions: number = DEFAULT_PARTITIONS): string {
  return `inbox.${partitionOf(run.runId, partitions)}.$.${runTokens(run)}.${assertToken(effectId, 'effectId')}`;
}

/**
 * Builds the subject of an answer from a template.
 * @throws ReinsError `subject_invalid` when the template is not from `replyTemplate`
 */
export function replySubject(template: string, type: EventType): string {
  const subject = template.replace('.$.', `.${type}.`);
  if (subject !== template && parseInboxSubject(subject)) return subject;
  throw new ReinsError({
    code: 'subject_invalid',
    message: `${JSON.stringify(template)} is not a reply address`,
    path: 'reins-reply',
  });
}

/** `dead.<stream>.<original subject>` */
export function deadSubject(stream: string, subject: string): string {
  return `dead.${assertToken(stream, 'stream')}.${subject}`;
}

const runTokens = (run: RunAddress): string =>
  `${assertToken(run.workspaceId, 'workspaceId')}.${assertToken(run.runId, 'runId')}`;

function partitionToken(text: string | undefined): number | undefined {
  return text !== undefined && /^(0|[1-9]\d{0,4})$/.test(text) ? Number(text) : undefined;
}
