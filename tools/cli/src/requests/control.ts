import { type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import { pendingEffects } from '@reins/journal';
import { requireInvalidatable } from '@reins/replay';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import { type LoadedRequest, withRequest } from './request-journal.ts';

/** The result of an effect. */
export type TaskResult =
  | { readonly value: JsonValue }
  | { readonly error: { readonly code: string; readonly message: string } };

/** Halts a request. @returns the ids of the pending effects that this cancels */
export async function haltRequest(
  context: CliContext,
  requestId: string,
  { reason, dryRun }: { readonly reason?: string; readonly dryRun?: boolean },
): Promise<string[]> {
  const pending = await withRequest(context, requestId, async (loaded) => {
    assertOpen(loaded);
    return pendingEffects(loaded.state).map(({ effectId }) => effectId);
  });
  if (!dryRun) await send(context, requestId, 'halt', reasonBody(reason));
  return pending;
}

/** Posts the result of a task. @throws ReinsError `effect_not_pending` · `request_ended` */
export async function answerTask(
  context: CliContext,
  requestId: string,
  effectId: string,
  { answered, key, dryRun }: { readonly answered: TaskResult; readonly key?: string; readonly dryRun?: boolean },
): Promise<void> {
  await assertPending(context, requestId, effectId, key);
  if (!dryRun) await send(context, requestId, `tasks/${effectId}/answer`, answered);
}

/** Cancels a pending effect. @throws ReinsError `effect_not_pending` · `request_ended` */
export async function cancelTask(
  context: CliContext,
  requestId: string,
  effectId: string,
  { reason, dryRun }: { readonly reason?: string; readonly dryRun?: boolean },
): Promise<void> {
  await assertPending(context, requestId, effectId);
  if (!dryRun) await send(context, requestId, `tasks/${effectId}/cancel`, reasonBody(reason));
}

/** Invalidates an effect and everything after it. @returns the ids of the pending effects that this cancels @throws ReinsError `effect_not_pending` · `effect_superseded` · `request_ended` */
export async function invalidateTask(
  context: CliContext,
  requestId: string,
  effectId: string,
  { reason, dryRun }: { readonly reason?: string; readonly dryRun?: boolean },
): Promise<string[]> {
  const cancelled = await withRequest(context, requestId, async (loaded) => {
    assertOpen(loaded);
    const effect = requireInvalidatable(loaded.state, effectId);
    const later = pendingEffects(loaded.state).filter((one) => one.requestedVersion >= effect.requestedVersion);
    return later.map((one) => one.effectId);
  });
  if (!dryRun) await send(context, requestId, `effects/${effectId}/invalidate`, reasonBody(reason));
  return cancelled;
}

/** Resumes a request whose process failed: its owner replays it. */
export const resumeRequest = (context: CliContext, requestId: string): Promise<void> =>
  send(context, requestId, 'resume', {});

async function send(context: CliContext, requestId: string, path: string, body: object): Promise<void> {
  const headers = { 'idempotency-key': crypto.randomUUID() };
  await new GatewayClient(gatewayAddress(context)).post(`/requests/${requestId}/${path}`, body, headers);
}

const reasonBody = (reason: string | undefined): JsonObject => (reason === undefined ? {} : { reason });

function assertPending(context: CliContext, requestId: string, effectId: string, key?: string): Promise<void> {
  return withRequest(context, requestId, async (loaded) => {
    assertOpen(loaded);
    const effect = loaded.state.effects.get(effectId);
    if (!effect) throw notPending(effectId, `the run has no effect ${effectId}`);
    if (!loaded.state.pending.has(effectId))
      throw notPending(effectId, `effect ${effectId} is already ${effect.status}`);
    if (key !== undefined && key !== effect.key)
      throw new ReinsError({
        code: 'wrong_usage',
        message: `--invocation-key ${key} is not the key of ${effectId}`,
        hint: `Use ${effect.key}.`,
      });
  });
}

function assertOpen({ state, run }: LoadedRequest): void {
  if (!state.end) return;
  throw new ReinsError({
    code: 'request_ended',
    message: `the request has ended as ${state.end.status}`,
    path: run.runId,
  });
}

const notPending = (effectId: string, message: string): ReinsError =>
  new ReinsError({ code: 'effect_not_pending', message, path: effectId });
