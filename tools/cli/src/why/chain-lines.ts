import { isObject, type JsonObject } from '@reins/contracts';
import type { ListedEvent } from '../client/listed-events.ts';
import { clockText, RunLines, workText } from '../output/run-lines.ts';
import type { Link } from './causal-chain.ts';

/**
 * The lines of a causal chain for people: what happened, with a clock, durations, verdicts and runtimes. An answer of
 * a service or host appears as the fact that it caused.
 * @param events all events of the request, in log order
 * @param childLines the lines of the work of child runs, by their ids
 * @param shownBelow the effects of waits whose data follows the chain: their lines are without it
 */
export function chainLines(
  events: readonly ListedEvent[],
  chain: readonly Link[],
  childLines: ReadonlyMap<string, readonly string[]> = new Map(),
  shownBelow: ReadonlySet<string> = new Set(),
): string[] {
  const lineById = linesOf(events, shownBelow);
  const withChild = (event: ListedEvent, line: string): string[] => {
    const work = ENDS_CHILD.test(event.type) ? (childLines.get(String(event.body.childRequestId)) ?? []) : [];
    return [...work.map((one) => `    ${one}`), line];
  };
  return chain.flatMap((link, index) => {
    const next = chain[index + 1];
    if (link.kind === 'message') {
      const fact = factOf(events, link);
      if (fact && next?.kind === 'event' && next.event.id === fact.id) return [];
      const line = fact && lineById.get(fact.id);
      if (fact && line !== undefined) return withChild(fact, line);
      return [...answersBefore(events, link), messageText(events, link)].map((text) => `${' '.repeat(8)}  ← ${text}`);
    }
    const { event } = link;
    if (event.type === 'runtime.task.requested')
      return parallelTasks(events, event).flatMap(({ id }) => lineById.get(id) ?? []);
    const line = lineById.get(event.id) ?? directiveLineOf(events, event, lineById);
    if (line !== undefined) return withChild(event, line);
    const isAnswered = next?.kind === 'message' && factOf(events, next) !== undefined;
    return isAnswered ? [] : [`${clockText(new Date(event.time))}  ${workText(event.body) ?? event.type}`];
  });
}

/** The child runs of a chain that have ended. */
export function endedChildren(events: readonly ListedEvent[], chain: readonly Link[]): string[] {
  const facts = chain.flatMap((link) => (link.kind === 'event' ? [link.event] : (factOf(events, link) ?? [])));
  const ended = facts.filter(({ type }) => ENDS_CHILD.test(type));
  return [...new Set(ended.map(({ body }) => String(body.childRequestId)))];
}

const ENDS_CHILD = /^runtime\.child\.(completed|failed)$/;

/** The line of each event that has one. Needs all events, because lines contain facts of earlier events. */
function linesOf(events: readonly ListedEvent[], shownBelow: ReadonlySet<string>): ReadonlyMap<string, string> {
  const lines = new RunLines({ isPast: true });
  const lineById = new Map<string, string>();
  for (const { id, body, time } of events) {
    const line = lines.line(body, new Date(time));
    const isShownBelow = body.type === 'runtime.request.waiting' && shownBelow.has(String(body.effectId));
    if (line !== undefined) lineById.set(id, isShownBelow ? firstLine(line) : line);
  }
  return lineById;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

type MessageLink = Extract<Link, { kind: 'message' }>;

/** The fact that a message caused: an answer has its type, and a child run reports its start and its end. */
const factOf = (events: readonly ListedEvent[], { id, text }: MessageLink) =>
  events.find(
    ({ causation, type }) =>
      causation === id && (type === text || (text.endsWith('.parent') && type.startsWith('runtime.child.'))),
  );

/** The line of the directive that started a stage, which names its runtime, iteration and attempt. */
function directiveLineOf(
  events: readonly ListedEvent[],
  { type, version, body }: ListedEvent,
  lineById: ReadonlyMap<string, string>,
): string | undefined {
  if (type !== 'runtime.stage.requested') return undefined;
  const directive = events.find(
    (one) =>
      one.type === 'control.directive.emitted' &&
      one.version === version &&
      isObject(one.body.extra) &&
      one.body.extra.effect_id === body.effectId,
  );
  return directive && lineById.get(directive.id);
}

/** The tasks that a process requested together, in order. */
const parallelTasks = (events: readonly ListedEvent[], { causation, type }: ListedEvent): readonly ListedEvent[] =>
  events.filter((one) => one.type === type && one.causation === causation);

/** The answers to the tasks that were requested together with the task of this answer, in the order of their arrival. */
function answersBefore(events: readonly ListedEvent[], { id }: MessageLink): string[] {
  const index = events.findIndex(({ causation, type }) => causation === id && TASK_ENDED.test(type));
  const requested = events.find(
    ({ type, body }) => type === 'runtime.task.requested' && body.effectId === events[index]?.body.effectId,
  );
  if (!requested) return [];
  const together = new Set(parallelTasks(events, requested).map(({ body }) => body.effectId));
  return events
    .slice(0, index)
    .filter(({ type, body }) => TASK_ENDED.test(type) && together.has(body.effectId))
    .map(({ body }) => decisionText(body));
}

const TASK_ENDED = /^runtime\.task\.(completed|failed)$/;

/** What a message that the log does not contain means. */
const MESSAGES: Readonly<Record<string, string>> = {
  'command.run.answer': 'a person or a worker answered',
  'command.run.pause': 'an operator paused the request',
  'command.run.resume': 'an operator resumed the request',
  'command.run.assign': 'an operator assigned a process or corrected code',
  'command.run.unpark': 'an operator retried the held messages',
  'command.effect.cancel': 'an operator cancelled a part of the work',
  'command.effect.invalidate': 'an operator invalidated a part of the work',
  'command.approval.resolve': 'a person approved or denied',
  'command.signal': 'a signal arrived',
  'timer.due wake': 'the sleep or the wait was over',
  'timer.due expiry': 'the question expired',
  'timer.due start': 'the work did not start in time',
  'timer.due run': 'the work did not end in time',
  'timer.due grace': 'the work did not stop in time',
};

function messageText(events: readonly ListedEvent[], { id, text }: MessageLink): string {
  const operator = operatorText(events, id, text);
  if (operator !== undefined) return operator;
  const signal = text === 'command.signal' ? signalOf(events, id) : undefined;
  if (signal !== undefined) return `signal ${signal} arrived`;
  // The end of a run makes its open approvals expire; no one decided that.
  const decided = events.find(
    ({ causation, type, body }) => causation === id && DECIDED.has(type) && body.decision !== 'expired',
  );
  if (decided) return decisionText(decided.body);
  if (text.endsWith('.submit')) return submissionText(events);
  if (text.endsWith('.parent')) return 'a child run reported its state';
  return MESSAGES[text] ?? 'a message that the event log does not contain';
}

/** Who ended the request. Its last fact says why. */
function operatorText(events: readonly ListedEvent[], id: string, text: string): string | undefined {
  if (text !== 'command.run.cancel' && text !== 'command.run.halt') return undefined;
  const { cancelledBy, haltedBy } =
    events.findLast(({ causation, type }) => causation === id && END.test(type))?.body ?? {};
  const who = cancelledBy ?? haltedBy ?? 'an operator';
  return `${String(who)} ${text === 'command.run.cancel' ? 'cancelled' : 'halted'} the request`;
}

const END = /^runtime\.request\.(completed|cancelled)$/;

/** The submission. A retry or a fork names its source, with the command that explains it. */
function submissionText(events: readonly ListedEvent[]): string {
  const { retryOf, forkedFrom } = events.find(({ type }) => type === 'runtime.request.started')?.body ?? {};
  const text = 'the request was submitted';
  if (retryOf !== undefined) return `${text} as a retry of ${String(retryOf)} (\`reins why ${String(retryOf)}\`)`;
  return forkedFrom === undefined
    ? text
    : `${text} as a fork of ${String(forkedFrom)} (\`reins why ${String(forkedFrom)}\`)`;
}

/** Facts that say what a person or a worker outside of Reins decided or answered. */
const DECIDED: ReadonlySet<string> = new Set([
  'runtime.approval.resolved',
  'runtime.task.completed',
  'runtime.task.failed',
]);

function decisionText({ type, decision, decidedBy, comment, label, taskId, answeredBy }: JsonObject): string {
  if (type !== 'runtime.approval.resolved') {
    const by = answeredBy === undefined ? '' : ` by ${String(answeredBy)}`;
    return `task ${String(label ?? taskId)} ${type === 'runtime.task.failed' ? 'was reported as failed' : 'was answered'}${by}`;
  }
  return `${String(decidedBy || 'a person')} ${String(decision)}${comment ? `: ${String(comment)}` : ''}`;
}

/** The name of the signal that ended a wait. */
function signalOf(events: readonly ListedEvent[], messageId: string): string | undefined {
  const resumed = events.find(({ causation, type }) => causation === messageId && type === 'runtime.request.resumed');
  const wait = events.find(
    ({ type, body }) =>
      type === 'runtime.request.waiting' && body.reason === 'signal' && body.effectId === resumed?.body.effectId,
  );
  return typeof wait?.body.signal === 'string' ? wait.body.signal : undefined;
}
