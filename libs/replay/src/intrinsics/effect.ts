import type { JsonObject, JsonValue, ReinsError } from '@reins/contracts';
import { problemsOfRequest, REQUEST_KINDS } from '@reins/journal';
import type { Execution } from '../engine/execution.ts';
import { jsonCopy } from '../engine/json-copy.ts';
import { limitsOf } from '../engine/limits.ts';
import { misuse } from '../errors.ts';
import type { EffectOptions } from '../process-context.ts';
import { assertLimits, definedOptions } from './options.ts';

/** Requests an effect of any kind of the catalogue by its fields. */
export async function effect(
  execution: Execution,
  kind: string,
  request: JsonObject,
  options: EffectOptions = {},
): Promise<JsonValue> {
  if (typeof kind !== 'string') throw unknownKind(kind);
  const { key, label, limits: asked } = options;
  const invocation = execution.identify({ kind, label, key, args: request });
  // A recorded call was valid when it was made, and is not validated again.
  if (!execution.host.isRecorded(invocation.effectId)) {
    if (!isRequestKind(kind)) throw unknownKind(kind);
    assertLimits(asked);
    assertRequest(kind, jsonCopy(request, 'the request') as JsonObject, asked);
    // Only a signal that has not been requested yet takes an early one.
    const early = kind === 'signal' ? execution.host.takeSignal(String(request.name)) : undefined;
    if (early) return early.payload;
  }
  const limits = asked && definedOptions(asked);
  return execution.requestEffect(invocation, { request, limits, label });
}

const isRequestKind = (kind: string): boolean => (REQUEST_KINDS as readonly string[]).includes(kind);

function unknownKind(kind: unknown): ReinsError {
  const hint = `Use one of ${REQUEST_KINDS.join(', ')}, or ctx.step for work of the process itself.`;
  return misuse(`ctx.effect cannot request an effect of the kind ${String(kind)}`, hint);
}

/** @throws ReinsError `process_invalid` with all problems of the request */
function assertRequest(kind: string, request: JsonObject, limits: EffectOptions['limits']): void {
  const problems = problemsOfRequest(kind, request, limitsOf(kind, limits && definedOptions(limits)));
  if (problems.length === 0) return;
  const wrong = problems.map(({ message }) => message.replace(/^\./, '')).join('; ');
  throw misuse(`ctx.effect cannot request an effect of the kind ${kind}: ${wrong}`, HINTS[kind]);
}

/** The calls that build the request themselves. */
const HINTS: Readonly<Record<string, string>> = {
  task: 'use ctx.task with a task definition',
  breakpoint: 'use ctx.breakpoint with a question',
  child: 'use ctx.child with a process and its inputs',
  sleep: 'use ctx.sleepUntil with a time',
  signal: 'use ctx.signal with a name',
};
