import { defined, isObject, type JsonObject, type JsonValue, ReinsError } from '@reins/contracts';
import type { EffectState } from '@reins/journal';
import { cancelEffect, invalidateEffect, type PostedResult, postResult } from '@reins/replay';
import { type LoadedRun, readRun, taskLogs, workKind } from '@reins/run-directory';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import { assertSchema } from './input-schema.ts';
import { findRunDirectory, type RunHandle } from './locate.ts';
import { cancelledIn, type DryRunFlags, printResult } from './maintenance.ts';
import { fileOption, jsonFileOption, jsonOption, jsonOrTextFile } from './values.ts';

/** The same commands for requests, imported when needed. */
const requests = () => import('../requests/control.ts');

export interface PostFlags extends DryRunFlags {
  readonly status?: string;
  readonly value?: string;
  readonly valueInline?: string;
  readonly error?: string;
  readonly stdoutFile?: string;
  readonly stderrFile?: string;
  readonly stdoutRef?: string;
  readonly stderrRef?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly metadata?: string;
  readonly invocationKey?: string;
}

/** `reins task:post`: stores a result. Returns 0 also when the stored result is an error. */
export async function taskPost(
  context: CliContext,
  argument: string,
  effectId: string,
  flags: PostFlags,
): Promise<ExitCode> {
  const handle = findRunDirectory(context, argument, flags);
  if (!handle) return postOnBus(context, argument, effectId, flags);
  const { store, run, directory } = handle;
  const given = givenResult(flags, directory);
  const loaded = await readRun(store, run);
  const effect = pendingOf(loaded, effectId, flags.invocationKey);
  assertSigned(context, effect, given);
  const { posted, normalizedShellFailure } = normalizeResult(effect, given, outputFiles(flags, directory));
  await assertOutput(effect, posted);
  const times = timesOf(flags);
  const refs = refsOf(flags);
  if (flags.dryRun) {
    const answer = { dryRun: true, effectId, status: posted.status, normalizedShellFailure };
    return printResult(context, answer, `would store ${posted.status} for ${effectId}`);
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
  return printResult(context, answer as JsonObject, `stored ${posted.status} for ${effectId}`);
}

/** `reins task:cancel` */
export async function taskCancel(
  context: CliContext,
  argument: string,
  effectId: string,
  flags: DryRunFlags & { readonly reason?: string },
): Promise<ExitCode> {
  const { reason, dryRun } = flags;
  const why = { ...defined({ reason }), ...(dryRun && { dryRun }) };
  const handle = findRunDirectory(context, argument, flags);
  if (!handle) {
    await (await requests()).cancelTask(context, argument, effectId, why);
    return printResult(context, { ...(dryRun && { dryRun }), effectId, status: 'cancelled' }, `cancelling ${effectId}`);
  }
  const { store, run } = handle;
  const options = { store, run, effectId, ...why };
  await store.exclusively(run, dryRun ? undefined : 'task:cancel', () => cancelEffect(options));
  const answer = {
    ...(dryRun && { dryRun }),
    effectId,
    status: 'cancelled',
    resultRef: `tasks/${effectId}/result.json`,
  };
  return printResult(context, answer, `${dryRun ? 'would cancel' : 'cancelled'} ${effectId}`);
}

/** `reins task:invalidate` */
export async function taskInvalidate(
  context: CliContext,
  argument: string,
  effectId: string,
  flags: DryRunFlags & { readonly reason?: string },
): Promise<ExitCode> {
  const { reason, dryRun } = flags;
  const why = { ...defined({ reason }), ...(dryRun && { dryRun }) };
  const handle = findRunDirectory(context, argument, flags);
  const cancelledEffects = handle
    ? cancelledIn(await invalidateInDirectory(handle, { effectId, ...why }))
    : await (await requests()).invalidateTask(context, argument, effectId, why);
  const answer = { ...(dryRun && { dryRun }), effectId, invalidated: !dryRun, cancelledEffects };
  return printResult(
    context,
    answer,
    `${effectId} and everything after it ${dryRun ? 'would be' : 'will be'} requested again`,
  );
}

const invalidateInDirectory = (
  { store, run }: RunHandle,
  what: { readonly effectId: string; readonly dryRun?: boolean },
) =>
  store.exclusively(run, what.dryRun ? undefined : 'task:invalidate', () => invalidateEffect({ store, run, ...what }));

/** Posts a result to a request, which cannot store files: command output is part of the value. */
async function postOnBus(
  context: CliContext,
  requestId: string,
  effectId: string,
  flags: PostFlags,
): Promise<ExitCode> {
  const kept = ['stdoutFile', 'stderrFile', 'stdoutRef', 'stderrRef', 'startedAt', 'finishedAt', 'metadata'] as const;
  if (kept.some((name) => flags[name] !== undefined))
    throw wrongUsage('a request cannot store files, times or metadata with a result', 'Include them in the value.');
  const given = givenResult(flags, process.cwd());
  const answered =
    given.status === 'ok'
      ? { value: given.value }
      : { error: { code: 'task_failed', message: String(given.error.message) } };
  const { invocationKey: key, dryRun } = flags;
  const options = { answered, ...defined({ key }), ...(dryRun && { dryRun }) };
  await (await requests()).answerTask(context, requestId, effectId, options);
  const answer = { ...(dryRun && { dryRun }), effectId, status: given.status };
  return printResult(context, answer, `${dryRun ? 'would send' : 'sent'} ${given.status} for ${effectId}`);
}

type GivenResult =
  | { readonly status: 'ok'; readonly value: JsonValue }
  | { readonly status: 'error'; readonly error: JsonObject };

const NO_ERROR: JsonObject = { name: 'Error', message: 'Task reported failure' };

/** The result that the options describe. @throws ReinsError `wrong_usage` for missing or conflicting options */
function givenResult({ status, value, valueInline, error }: PostFlags, base: string): GivenResult {
  if (status !== 'ok' && status !== 'error') throw wrongUsage('--status must be ok or error');
  if (status === 'error') {
    if (valueInline !== undefined || value !== undefined) throw wrongUsage('--status error takes --error, not a value');
    return { status, error: error === undefined ? NO_ERROR : errorObject(jsonOrTextFile(error, '--error', base)) };
  }
  if (error !== undefined) throw wrongUsage('--status ok takes a value, not --error');
  if (value !== undefined && valueInline !== undefined)
    throw wrongUsage('--value and --value-inline cannot be combined');
  if (valueInline !== undefined) return { status, value: jsonOption(valueInline, '--value-inline') };
  if (value === undefined) throw wrongUsage('--status ok needs --value or --value-inline');
  return { status, value: jsonFileOption(value, '--value', base) };
}

/** Builds the error object. Plain text becomes its message. */
function errorObject(given: JsonValue): JsonObject {
  if (isObject(given)) return { ...NO_ERROR, ...(given as JsonObject) };
  return {
    ...NO_ERROR,
    message: (typeof given === 'string' ? given.trim() : JSON.stringify(given)) || 'Task reported failure',
  };
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

/**
 * With POLICY_CONFIG_ROOT_FP set, approvals need a verifiable signature. This command cannot verify signatures, so it refuses approvals.
 * @throws ReinsError `request_invalid`; the effect stays pending
 */
function assertSigned({ env }: CliContext, { kind, effectId }: EffectState, given: GivenResult): void {
  if (!env.POLICY_CONFIG_ROOT_FP || kind !== 'breakpoint') return;
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
