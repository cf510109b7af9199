import type { JsonObject, JsonValue, ReinsError } from '@reins/contracts';
import { problemsOfRequest, REQUEST_KINDS } from '@reins/journal';
import type { Execution } from '../engine/execution.ts';
import { jsonCopy } from '../engine/json-copy.ts';
import { limitsOf } from '../engine/limits.ts';
import { misuse } from '../errors.ts';
import type { EffectOptions } from '../process-context.ts';
import { assertLimits, given } from './options.ts';

/** Any kind of the catalogue that can be asked for by its fields. */
export async function effect(
  execution: Execution,
  kind: string,
  request: JsonObject,
  options: EffectOptions = {},
): Promise<JsonValue> {
  if (typeof kind !== 'string') throw unknownKind(kind);
  const { key, label, limits: asked } = options;
  const who = execution.identify({ kind, label, key, args: request });
  // What was recorded was taken once, and stays as it is.
  if (!execution.host.isRecorded(who.effectId)) {
    if (!isRequestKind(kind)) throw unknownKind(kind);
    assertLimits(asked);
    assertRequest(kind, jsonCopy(request, 'the request') as JsonObject, asked);
    // One that came early is nobody's answer once it is asked for.
    const early = kind === 'signal' ? execution.host.takeSignal(String(request.name)) : undefined;
    if (early) return early.payload;
  }
  const limits = asked && given(asked);
  return execution.ask(who, { request, limits, label });
}

const isRequestKind = (kind: string): boolean => (REQUEST_KINDS as readonly string[]).includes(kind);

function unknownKind(kind: unknown): ReinsError {
  const hint = `ask for one of ${REQUEST_KINDS.join(', ')}; what the process does by itself is ctx.step`;
  return misuse(`ctx.effect asks for no effect of the kind ${String(kind)}`, hint);
}

/** @throws ReinsError `process_invalid` with everything that is wrong with the request */
function assertRequest(kind: string, request: JsonObject, limits: EffectOptions['limits']): void {
  const problems = problemsOfRequest(kind, request, limitsOf(kind, limits && given(limits)));
  if (problems.length === 0) return;
  const wrong = problems.map(({ message }) => message.replace(/^\./, '')).join('; ');
  throw misuse(`ctx.effect cannot ask for an effect of the kind ${kind}: ${wrong}`, HINTS[kind]);
}

/** The calls that make the request themselves. */
const HINTS: Readonly<Record<string, string>> = {
  task: 'ctx.task makes it of a task definition',
  breakpoint: 'ctx.breakpoint makes it of a question',
  child: 'ctx.child makes it of a process and its inputs',
  sleep: 'ctx.sleepUntil makes it of a time',
  signal: 'ctx.signal makes it of a name',
};
