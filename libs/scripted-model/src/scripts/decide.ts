import type { Answer, ModelRequest, NextId, ToolCall } from '../model.ts';
import { readMarkers } from './markers.ts';
import { matchesName, matchesText } from './pattern.ts';
import { type Position, positionOf } from './position.ts';
import type { Condition, Script, Step, ToolUse } from './script.ts';
import { matchCall } from './tools.ts';
import { fillText, type Values, valuesOf } from './values.ts';

/** The reaction to a request. */
export type Reaction =
  | { readonly kind: 'answer'; readonly answer: Answer; readonly cut: boolean }
  | { readonly kind: 'failure'; readonly status: number; readonly message: string; readonly retryAfter?: number }
  | { readonly kind: 'hang' }
  | { readonly kind: 'garbage' };

export interface Decision {
  /** The index of the step in its script; -1 when there is none. */
  readonly step: number;
  readonly delayMs: number;
  readonly chunkMs?: number;
  readonly reaction: Reaction;
}

export interface DecideContext {
  readonly nextId: NextId;
  /** Counts the failed requests of this scenario: the only state that is not derived from the request. */
  readonly countFailure: () => number;
}

/** The answer to a side call without tools, such as a request for a session title or a summary. */
const SIDE_CALL_TEXT = 'Answered by the scripted model';

/** Determines the step of the script and its reaction from the request alone. */
export function decide(script: Script, request: ModelRequest, context: DecideContext): Decision {
  const position = positionOf(request.turns);
  const steps = stepsFor(script, request, position);
  if (!steps) return textDecision(-1, 'The scripted model has no case for this request.');
  const index = Math.min(position.step, steps.length - 1);
  const step = steps[index] as Step;
  const pace = {
    step: index,
    delayMs: step.delayMs ?? 0,
    ...(step.chunkMs === undefined ? {} : { chunkMs: step.chunkMs }),
  };
  return { ...pace, reaction: react(step, steps.length, request, position, context) };
}

function textDecision(step: number, text: string): Decision {
  return { step, delayMs: 0, reaction: { kind: 'answer', answer: { text, calls: [] }, cut: false } };
}

function stepsFor(script: Script, request: ModelRequest, position: Position): readonly Step[] | undefined {
  if (!('cases' in script)) return script;
  return script.cases.find(({ when }) => !when || matchesCondition(when, request, position))?.steps;
}

function matchesCondition(when: Condition, request: ModelRequest, position: Position): boolean {
  const markers = readMarkers(request.turns);
  const mentions = (pattern: string): boolean =>
    request.turns
      .filter((turn) => turn.kind === 'system' || turn.kind === 'user')
      .some((turn) => turn.texts.some((text) => matchesText(pattern, text)));
  return (
    (when.stage === undefined || when.stage === markers.stage) &&
    (when.fromIteration === undefined || markers.iteration >= when.fromIteration) &&
    (when.text === undefined || mentions(when.text)) &&
    (when.user === undefined || matchesText(when.user, position.userMessage)) &&
    (when.offers === undefined || request.tools.some((tool) => matchesName(when.offers as string, tool.name)))
  );
}

function react(
  step: Step,
  stepCount: number,
  request: ModelRequest,
  position: Position,
  context: DecideContext,
): Reaction {
  if (step.hang) return { kind: 'hang' };
  if (step.garbage) return { kind: 'garbage' };
  if (step.status !== undefined && (step.failFirst === undefined || context.countFailure() <= step.failFirst)) {
    const wait = step.retryAfter === undefined ? {} : { retryAfter: step.retryAfter };
    return { kind: 'failure', status: step.status, message: `scripted ${step.status}`, ...wait };
  }
  const textReaction = (text: string): Reaction => ({ kind: 'answer', answer: { text, calls: [] }, cut: false });
  if (position.rounds > stepCount * 4 + 20)
    return textReaction('The scripted model stops: too many tool results for this script.');

  const values = valuesOf(
    position.userMessage,
    request.tools.map(({ name }) => name),
    position.result,
  );
  const calls = callsOf(step, request, values, context.nextId);
  if (!calls) return textReaction(fillText(step.otherwise ?? noToolText(request), values));
  const text = position.failed ? (step.failed ?? step.text) : step.text;
  const answer: Answer = {
    ...(step.thinking === undefined ? {} : { thinking: fillText(step.thinking, values) }),
    ...(text === undefined ? {} : { text: fillText(text, values) }),
    calls,
  };
  return { kind: 'answer', answer, cut: step.cut === true };
}

/** Maps the calls of a step to the offered tools; undefined when a call has no matching tool. */
function callsOf(step: Step, request: ModelRequest, values: Values, nextId: NextId): readonly ToolCall[] | undefined {
  const calls: ToolCall[] = [];
  for (const use of toolUsesOf(step)) {
    const matched = matchCall(request.tools, use, values);
    if (!matched) return undefined;
    const { name, namespace, freeform } = matched.tool;
    const namespaceField = namespace === undefined ? {} : { namespace };
    calls.push({ id: nextId('call'), name, ...namespaceField, args: matched.args, freeform });
  }
  return calls;
}

function toolUsesOf(step: Step): readonly ToolUse[] {
  if (step.tool === undefined) return [];
  return Array.isArray(step.tool) ? step.tool : [step.tool];
}

function noToolText(request: ModelRequest): string {
  if (request.tools.length === 0) return SIDE_CALL_TEXT;
  return `The scripted model found no matching tool among: ${request.tools.map((tool) => tool.name).join(', ')}`;
}
