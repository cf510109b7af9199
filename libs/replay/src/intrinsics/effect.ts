import type { JsonObject, JsonValue, ReinsError } from '@reins/contracts';
import { effectKind, problemsOfRequest, requestKinds } from '@reins/journal';
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
    if (!requestKinds().includes(kind)) throw unknownKind(kind);
    assertLimits(asked);
    assertRequest(kind, jsonCopy(request, 'the request') as JsonObject, asked);
    // Only a signal that has not been requested yet takes an early one.
    const awaited = effectKind(kind).awaitedSignal?.(request);
    const early = awaited === undefined ? undefined : execution.host.takeSignal(awaited);
    if (early) return early.payload;
  }
  const limits = asked && definedOptions(asked);
  return execution.requestEffect(invocation, { request, limits, label });
}

function unknownKind(kind: unknown): ReinsError {
  const hint = `Use one of ${requestKinds().join(', ')}, or ctx.step for work of the process itself.`;
  return misuse(`ctx.effect cannot request an effect of the kind ${String(kind)}`, hint);
}

/** @throws ReinsError `process_invalid` with all problems of the request */
function assertRequest(kind: string, request: JsonObject, limits: EffectOptions['limits']): void {
  const problems = problemsOfRequest(kind, request, limitsOf(kind, limits && definedOptions(limits)));
  if (problems.length === 0) return;
  const reason = problems.map(({ message }) => message.replace(/^\./, '')).join('; ');
  throw misuse(`ctx.effect cannot request an effect of the kind ${kind}: ${reason}`, effectKind(kind).call);
}
