import { isObject, type JsonObject } from '@reins/contracts';
import type { ListedEvent } from '../client/listed-events.ts';
import { clockText, RunLines, workText } from '../output/run-lines.ts';
import type { Link } from './causal-chain.ts';

/**
 * The lines of a causal chain for people: what happened, with times, durations, verdicts and runtimes. An answer of
 * a service or host appears as the fact that it caused.
 * @param events all events of the request, in log order
 */
export function chainLines(
  events: readonly ListedEvent[],
  chain: readonly Link[],
  { childLines = new Map(), shownBelow = new Set(), refusals = [], isInterrupted = false }: Around = {},
): string[] {
  const lineById = linesOf(events, shownBelow);
  const stopped = new Set(interruptedChildren(events, chain, isInterrupted));
  const withChild = (event: ListedEvent, line: string): string[] => {
    const work = (ENDS_CHILD.test(event.type) && childLines.get(String(event.body.childRequestId))) || [];
    const child = isChildWait(event) ? childOf(events, event) : undefined;
    const interrupted = child !== undefined && stopped.has(child) ? (childLines.get(child) ?? []) : [];
    return [...indented(work), line, ...indented(interrupted)];
  };
  const refusedBefore = (link: MessageLink): string[] =>
    link.text === 'command.run.assign' ? refusals.filter(isBefore(events, link)).map(refusalText) : [];
  const lines = chain.flatMap((link, index) => {
    const next = chain[index + 1];
    if (link.kind === 'message') {
      const fact = factOf(events, link);
      if (fact && next?.kind === 'event' && next.event.id === fact.id) return [];
      const line = fact && lineById.get(fact.id);
      if (fact && line !== undefined) return withChild(fact, line);
      return [...answersBefore(events, link), ...refusedBefore(link), messageText(events, link)].map(arrowLine);
    }
    const { event } = link;
    if (event.type === 'runtime.task.requested')
      return parallelTasks(events, event).flatMap(({ id }) => lineById.get(id) ?? []);
    const line = lineById.get(event.id) ?? directiveLineOf(events, event, lineById);
    if (line !== undefined) return withChild(event, line);
    const isAnswered = next?.kind === 'message' && factOf(events, next) !== undefined;
    return isAnswered ? [] : [`${clockText(new Date(event.time))}  ${workText(event.body) ?? event.type}`];
  });
  const last = chain.findLast((link) => link.kind === 'event')?.event.time ?? '';
  const later = refusals.filter(({ time }) => Date.parse(time) > Date.parse(last));
  return [...lines, ...later.map(refusalText).map(arrowLine)];
}

/** What surrounds a chain. */
export interface Around {
  /** The lines of the work of child runs, by their ids. */
  readonly childLines?: ReadonlyMap<string, readonly string[]>;
  /** The effect ids of waits whose data is printed below the chain. Their lines omit it. */
  readonly shownBelow?: ReadonlySet<string>;
  /** The assignments that the run refused. */
  readonly refusals?: readonly Refusal[];
  /** The chain of a child run ends at a wait, because an operator halted or cancelled its parent. */
  readonly isInterrupted?: boolean;
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);

const arrowLine = (text: string): string => `${' '.repeat(8)}  ← ${text}`;

/** An assignment that a run refused. */
export interface Refusal {
  readonly time: string;
  /** Who requested it, if known. */
  readonly requestedBy?: string;
  readonly problem: { readonly code: string; readonly message: string };
}

const refusalText = ({ requestedBy, problem: { code, message } }: Refusal): string =>
  `an assignment${requestedBy === undefined ? '' : ` by ${requestedBy}`} was refused: ${code}: ${message}`;

/** Whether a refusal is older than what a message caused. */
const isBefore =
  (events: readonly ListedEvent[], { id }: MessageLink) =>
  ({ time }: Refusal): boolean =>
    Date.parse(time) <= Date.parse(events.find(({ causation }) => causation === id)?.time ?? '');

const isChildWait = ({ type, body }: ListedEvent): boolean =>
  type === 'runtime.request.waiting' && body.reason === 'child';

/** The child run that a run waits for. */
function childOf(events: readonly ListedEvent[], { body: { effectId } }: ListedEvent): string | undefined {
  const started = events.find(({ type, body }) => type === 'runtime.child.started' && body.effectId === effectId);
  return typeof started?.body.childRequestId === 'string' ? started.body.childRequestId : undefined;
}

/**
 * The child runs that the run of a chain still waited for when an operator ended it.
 * @param isInterrupted whether the operator ended it at the end of the chain
 */
export function interruptedChildren(
  events: readonly ListedEvent[],
  chain: readonly Link[],
  isInterrupted = false,
): string[] {
  return chain.flatMap((link, index) => {
    const next = chain[index + 1];
    const isStopped = next === undefined ? isInterrupted : next.kind === 'message' && ENDS_RUN.has(next.text);
    return link.kind === 'event' && isStopped && isChildWait(link.event) ? (childOf(events, link.event) ?? []) : [];
  });
}

const ENDS_RUN: ReadonlySet<string> = new Set(['command.run.cancel', 'command.run.halt']);

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

/** The fact caused by a message. It has the type of the answer, or reports the start or end of a child run. */
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

/** Descriptions of messages that the event log does not contain. */
const MESSAGES: Readonly<Record<string, string>> = {
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
  const named = NAMED[text];
  // The results of tasks and the decisions about breakpoints are facts of their own, with a name.
  if (named !== undefined && !decisionOf(events, id)) return named(directiveExtra(events, id));
  if (text === 'command.run.assign') return assignmentText(events, id);
  const signal = text === 'command.signal' ? signalOf(events, id) : undefined;
  if (signal !== undefined) return `signal ${signal} arrived`;
  const decided = decisionOf(events, id);
  if (decided) return decisionText(decided.body);
  if (text.startsWith('effect.progress')) return 'the host of the stage reported it';
  if (text.endsWith('.submit')) return submissionText(events);
  if (text.endsWith('.parent')) return 'a child run reported its state';
  return MESSAGES[text] ?? 'a message that the event log does not contain';
}

/** Messages whose directive names the person, if the gateway knew one. */
const NAMED: Readonly<Record<string, (extra: JsonObject) => string>> = {
  'command.run.answer': ({ answered_by: by = 'a person or a worker' }) => `${String(by)} answered`,
  'command.run.pause': ({ requested_by: by = 'an operator' }) => `${String(by)} paused the request`,
  'command.run.resume': ({ requested_by: by = 'an operator' }) => `${String(by)} resumed the request`,
};

/** The decision or the result that a message brought. An approval that expires at the end of a run was not decided. */
const decisionOf = (events: readonly ListedEvent[], id: string): ListedEvent | undefined =>
  events.find(({ causation, type, body }) => causation === id && DECIDED.has(type) && body.decision !== 'expired');

/** What the directive that a message caused says about it. */
function directiveExtra(events: readonly ListedEvent[], id: string): JsonObject {
  const found = events.find(
    ({ causation, type, body }) =>
      causation === id &&
      type === 'control.directive.emitted' &&
      isObject(body.extra) &&
      body.extra.stage === undefined,
  );
  return isObject(found?.body.extra) ? found.body.extra : {};
}

/** Who ended the request. Its last fact says why. */
function operatorText(events: readonly ListedEvent[], id: string, text: string): string | undefined {
  if (text !== 'command.run.cancel' && text !== 'command.run.halt') return undefined;
  const { cancelledBy, haltedBy } =
    events.findLast(({ causation, type }) => causation === id && END.test(type))?.body ?? {};
  const who = cancelledBy ?? haltedBy ?? 'an operator';
  return `${String(who)} ${text === 'command.run.cancel' ? 'cancelled' : 'halted'} the request`;
}

/** Who assigned which process, or gave it corrected code, and why. */
function assignmentText(events: readonly ListedEvent[], id: string): string {
  const { process, corrected, reason, requested_by: by = 'an operator' } = directiveExtra(events, id);
  if (process === undefined) return 'an operator assigned a process or corrected code';
  const what = corrected ? `corrected code of ${String(process)}` : `the process ${String(process)}`;
  return `${String(by)} assigned ${what}${reason === undefined ? '' : ` (${String(reason)})`}; the run accepted it`;
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
