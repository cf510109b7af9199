import { isObject } from '@reins/contracts';
import type { ListedEvent } from '../client/listed-events.ts';
import { clockText, RunLines, workText } from '../output/run-lines.ts';
import type { Link } from './causal-chain.ts';

/**
 * The lines of a causal chain for people: what happened, with a clock, durations, verdicts and runtimes. An answer of
 * a service or host appears as the fact that it caused.
 * @param events all events of the request, in log order
 */
export function chainLines(events: readonly ListedEvent[], chain: readonly Link[]): string[] {
  const lineById = linesOf(events);
  return chain.flatMap((link, index) => {
    const next = chain[index + 1];
    if (link.kind === 'message') {
      const fact = factOf(events, link);
      if (fact && next?.kind === 'event' && next.event.id === fact.id) return [];
      const line = fact && lineById.get(fact.id);
      return line === undefined ? [`${' '.repeat(8)}  ← ${messageText(link.text)}`] : [line];
    }
    const { event } = link;
    const line = lineById.get(event.id) ?? directiveLineOf(events, event, lineById);
    if (line !== undefined) return [line];
    const isAnswered = next?.kind === 'message' && factOf(events, next) !== undefined;
    return isAnswered ? [] : [`${clockText(new Date(event.time))}  ${workText(event.body) ?? event.type}`];
  });
}

/** The line of each event that has one. Needs all events, because lines contain facts of earlier events. */
function linesOf(events: readonly ListedEvent[]): ReadonlyMap<string, string> {
  const lines = new RunLines();
  const lineById = new Map<string, string>();
  for (const { id, body, time } of events) {
    const line = lines.line(body, new Date(time));
    if (line !== undefined) lineById.set(id, line);
  }
  return lineById;
}

/** The fact that an answer caused: it has the same type. */
const factOf = (events: readonly ListedEvent[], { id, text }: Extract<Link, { kind: 'message' }>) =>
  events.find(({ causation, type }) => causation === id && type === text);

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

/** What a message that the log does not contain means. */
const MESSAGES: Readonly<Record<string, string>> = {
  'command.run.submit': 'the request was submitted',
  'command.run.answer': 'a person or a worker answered',
  'command.run.cancel': 'an operator cancelled the request',
  'command.run.halt': 'an operator halted the request',
  'command.run.pause': 'an operator paused the request',
  'command.run.resume': 'an operator resumed the request',
  'command.approval.resolve': 'a person approved or denied',
  'timer.due wake': 'the sleep or the wait was over',
  'timer.due expiry': 'the question expired',
  'timer.due start': 'the work did not start in time',
  'timer.due run': 'the work did not end in time',
  'timer.due grace': 'the work did not stop in time',
};

const messageText = (text: string): string =>
  MESSAGES[text] ?? (text.endsWith('.submit') ? MESSAGES['command.run.submit'] : undefined) ?? text;
