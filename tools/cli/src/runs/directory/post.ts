import { defined, isObject, type JsonObject, ReinsError } from '@reins/contracts';
import { DECISION_FORM, type EffectState, effectKind, givenDecision } from '@reins/journal';
import { cancelEffect, invalidateEffect, type PostedResult, postResult } from '@reins/replay';
import { type LoadedRun, readRun, taskLogs, workKind } from '@reins/run-directory';
import { wrongUsage } from '../../arguments.ts';
import type { CliContext } from '../../context.ts';
import type { PostFlags, ReasonFlags } from '../flags.ts';
import { type GivenResult, givenResult } from '../given-result.ts';
import { assertSchema } from '../input-schema.ts';
import type { RunHandle } from '../locate.ts';
import { cancelledIn, invalidated, type Outcome } from '../outcome.ts';
import { fileOption, jsonFileOption } from '../values.ts';

/** Stores the result of an effect in a run directory. */
export async function postInDirectory(
  context: CliContext,
  { store, run, directory }: RunHandle,
  effectId: string,
  flags: PostFlags,
): Promise<Outcome> {
  const result = givenResult(flags, directory);
  const loaded = await readRun(store, run);
  const effect = pendingOf(loaded, effectId, flags.invocationKey);
  const given = decided(effect, result);
  assertSigned(context, effect, given);
  const { posted, normalizedShellFailure } = normalizeResult(effect, given, outputFiles(flags, directory));
  await assertOutput(effect, posted);
  const times = timesOf(flags);
  const refs = refsOf(flags);
  if (flags.dryRun) {
    const answer = { dryRun: true, effectId, status: posted.status, normalizedShellFailure };
    return { answer, line: `would store ${posted.status} for ${effectId}` };
  }
  const logs = taskLogs(store.pathsOf(run), effectId, outputFiles(flags, directory));
  const metadata =
    flags.metadata === undefined ? {} : { metadata: jsonFileOption(flags.metadata, '--metadata', directory) };
  const facts = { ...refs, ...logs, ...times, ...metadata } as JsonObject;
  const { blobs } = loaded;
  await store.exclusively(run, 'task:post', () =>
    postResult({ store, run, effectId, posted: { ...posted, facts }, blobs }),
  );
  const resultRef = `tasks/${effectId}/result.json`;
  const where = { ...refs, ...logs };
  const committed = { resultRef, ...where, ...times };
  const { stdoutRef = null, stderrRef = null } = where;
  const answer = { status: posted.status, normalizedShellFailure, committed, stdoutRef, stderrRef, resultRef };
  return { answer: answer as JsonObject, line: `stored ${posted.status} for ${effectId}` };
}

/** Cancels an effect of a run directory. */
export async function cancelInDirectory(
  { store, run }: RunHandle,
  effectId: string,
  { reason, dryRun }: ReasonFlags,
): Promise<Outcome> {
  const options = { store, run, effectId, ...defined({ reason }), ...(dryRun && { dryRun }) };
  await store.exclusively(run, dryRun ? undefined : 'task:cancel', () => cancelEffect(options));
  const answer = {
    ...(dryRun && { dryRun }),
    effectId,
    status: 'cancelled',
    resultRef: `tasks/${effectId}/result.json`,
  };
  return { answer, line: `${dryRun ? 'would cancel' : 'cancelled'} ${effectId}` };
}

/** Invalidates an effect of a run directory, and everything after it. */
export async function invalidateInDirectory(
  { store, run }: RunHandle,
  effectId: string,
  { reason, dryRun }: ReasonFlags,
): Promise<Outcome> {
  const options = { store, run, effectId, ...defined({ reason }), ...(dryRun && { dryRun }) };
  const drafts = await store.exclusively(run, dryRun ? undefined : 'task:invalidate', () => invalidateEffect(options));
  return invalidated(effectId, cancelledIn(drafts), dryRun);
}

/** The pending effect, with its request. @throws ReinsError `effect_not_pending` · `wrong_usage` for another invocation key */
function pendingOf({ state, blobs }: LoadedRun, effectId: string, key: string | undefined): EffectState {
  const effect = state.effects.get(effectId);
  if (!effect || !state.pending.has(effectId)) {
    const message = effect
      ? `effect ${effectId} ${effect.status === 'cancelled' ? 'was cancelled' : 'already has a result'}`
      : `the run has no effect ${effectId}`;
    throw new ReinsError({ code: 'effect_not_pending', message, path: effectId });
  }
  if (key === undefined || key === effect.key) return { ...effect, request: blobs.requestOf(effect) };
  throw wrongUsage(`--invocation-key ${key} is not the key of ${effectId}`, `Use ${effect.key}.`);
}

/** Turns the failure of a shell command into a value, so that the process can inspect it. */
function normalizeResult(
  effect: EffectState,
  given: GivenResult,
  { stdout = '', stderr = '' }: { readonly stdout?: string; readonly stderr?: string },
): { readonly posted: PostedResult; readonly normalizedShellFailure: boolean } {
  if (given.status === 'ok') return { posted: given, normalizedShellFailure: false };
  const message = String(given.error.message);
  if (workKind(effect) !== 'shell') {
    const posted: PostedResult = { status: 'error', error: { code: 'process_failed', message }, details: given.error };
    return { posted, normalizedShellFailure: false };
  }
  const { exitCode } = isObject(given.error.data) ? (given.error.data as JsonObject) : given.error;
  const code = typeof exitCode === 'number' ? exitCode : 1;
  const value = { success: false, exitCode: code, stdout, stderr, error: message };
  return { posted: { status: 'ok', value }, normalizedShellFailure: true };
}

/** Validates the output of a shell command against the `outputSchema` of its task, before anything is written. */
async function assertOutput(effect: EffectState, posted: PostedResult): Promise<void> {
  const { definition } = effect.request;
  const schema = isObject(definition) ? definition.outputSchema : undefined;
  if (posted.status !== 'ok' || workKind(effect) !== 'shell' || !isObject(schema)) return;
  if (isObject(posted.value) && posted.value.success === false) return;
  await assertSchema(schema as JsonObject, posted.value, 'value');
}

const takesDecision = (kind: string): boolean => effectKind(kind).resolvedBy === 'decision';

/**
 * The answer to a breakpoint, as the process receives it: a decision, or an object without `approved` as it was posted,
 * because processes of run directories may define answers of their own.
 * @throws ReinsError `answer_invalid` for any other value; the effect stays pending
 */
function decided({ kind, effectId }: EffectState, given: GivenResult): GivenResult {
  if (!takesDecision(kind) || given.status === 'error') return given;
  if (isObject(given.value) && [undefined, true, false].includes(given.value.approved as boolean)) return given;
  const decision = typeof given.value === 'string' ? givenDecision(given.value) : undefined;
  if (decision) return { status: 'ok', value: decision.value };
  throw new ReinsError({
    code: 'answer_invalid',
    message: `the answer to ${kind} ${effectId} is not a decision`,
    path: 'value',
    hint: `Post ${DECISION_FORM}.`,
  });
}

/**
 * With POLICY_CONFIG_ROOT_FP set, approvals need a verifiable signature. This command cannot verify signatures, so it refuses approvals.
 * @throws ReinsError `request_invalid`; the effect stays pending
 */
function assertSigned({ env }: CliContext, { kind, effectId }: EffectState, given: GivenResult): void {
  if (!env.POLICY_CONFIG_ROOT_FP || !takesDecision(kind)) return;
  if (given.status === 'ok' && isObject(given.value) && given.value.approved === false) return;
  throw new ReinsError({
    code: 'request_invalid',
    message: `${effectId} needs a signed approval, because POLICY_CONFIG_ROOT_FP is set`,
    path: effectId,
    hint: 'Post a rejection. Run directories cannot verify signed approvals.',
  });
}

function outputFiles({ stdoutFile, stderrFile, stdoutRef, stderrRef }: PostFlags, base: string) {
  for (const [file, ref, name] of [
    [stdoutFile, stdoutRef, 'stdout'],
    [stderrFile, stderrRef, 'stderr'],
  ])
    if (file !== undefined && ref !== undefined)
      throw wrongUsage(`--${name}-file and --${name}-ref cannot be combined`);
  return {
    ...(stdoutFile !== undefined && { stdout: fileOption(stdoutFile, '--stdout-file', base) }),
    ...(stderrFile !== undefined && { stderr: fileOption(stderrFile, '--stderr-file', base) }),
  };
}

function refsOf({ stdoutRef, stderrRef }: PostFlags): { readonly stdoutRef?: string; readonly stderrRef?: string } {
  return defined({ stdoutRef, stderrRef });
}

function timesOf({ startedAt, finishedAt }: PostFlags): { readonly startedAt: string; readonly finishedAt: string } {
  const now = new Date().toISOString();
  const time = (given: string | undefined, option: string): string => {
    if (given === undefined) return now;
    if (Number.isNaN(Date.parse(given))) throw wrongUsage(`${option} ${given} is not a valid time`);
    return new Date(given).toISOString();
  };
  return { startedAt: time(startedAt, '--started-at'), finishedAt: time(finishedAt, '--finished-at') };
}
