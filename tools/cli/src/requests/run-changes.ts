import { defined, type JsonObject } from '@reins/contracts';
import { wrongUsage } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import type { AssignFlags, ForkFlags, HaltFlags, PostFlags, ReasonFlags, RecoverFlags } from '../runs/flags.ts';
import { givenResult } from '../runs/given-result.ts';
import { invalidated, NOTHING_TO_REBUILD, type Outcome } from '../runs/outcome.ts';
import type { Fork } from '../runs/run-backend.ts';
import { inputsOption } from '../runs/values.ts';

/** Imported when a command needs it, so that the CLI starts quickly. */
const control = () => import('./control.ts');

/** Assigns a process to a request: code of its workspace, or a built-in process. */
export async function assignOnBus(
  context: CliContext,
  requestId: string,
  entry: string,
  { dryRun, force = false, inputs, processId: name }: AssignFlags,
): Promise<Outcome> {
  if (name !== undefined)
    throw wrongUsage(
      '--process-id is for run directories only',
      'Leave it out: the process of a request keeps its own name.',
    );
  if (entry.trim() === '' || entry.startsWith('#'))
    throw wrongUsage("the entry must have a module path before '#'", 'Use --entry <path>#<export>.');
  const { assignToRequest } = await import('./assign.ts');
  const given = inputs === undefined ? {} : { inputs: inputsOption(inputs) };
  const options = { process: entry, force, ...given, ...(dryRun && { dryRun }) };
  const previousEntrypoint = await assignToRequest(context, requestId, options);
  const answer = { requestId, entry, processId: entry, previousEntrypoint, force, assigned: dryRun !== true };
  const line = `${dryRun ? 'would assign' : 'assigned'} the process ${entry} to ${requestId}`;
  return { answer: { ...(dryRun && { dryRun }), ...answer }, line };
}

/** Halts a request. An operator can halt or cancel a request, but cannot declare it failed. */
export async function haltOnBus(
  context: CliContext,
  requestId: string,
  { status, reason, dryRun }: HaltFlags,
): Promise<Outcome> {
  if (status !== undefined && status !== 'halted')
    throw wrongUsage(
      `--status ${status} is not supported for requests`,
      'Leave --status out, or use `reins requests cancel`.',
    );
  const { haltRequest } = await control();
  const options = { ...defined({ reason }), ...(dryRun && { dryRun }) };
  const cancelledEffects = await haltRequest(context, requestId, options);
  const answer = { ...(dryRun && { dryRun }), requestId, status: 'halted', cancelledEffects, halted: dryRun !== true };
  return { answer, line: `${dryRun ? 'would end' : 'ending'} ${requestId}` };
}

/** Services maintain the derived state of a request. Reports differences with their remedy; the exit code is then 1. */
export async function comparedRequest(
  context: CliContext,
  requestId: string,
  flags: { readonly dryRun?: boolean },
): Promise<Outcome> {
  const { compareState } = await import('./rebuild.ts');
  const { differences, mend: remedy, ...found } = await compareState(context, requestId);
  const answer = { ...(flags.dryRun && { dryRun: true }), ...found, differences, ...(remedy && { mend: remedy }) };
  for (const { path, journal, told: derived } of differences)
    context.note(`${path}: ${JSON.stringify(derived)}, but the journal has ${JSON.stringify(journal)}`);
  const exit = remedy === undefined || flags.dryRun ? EXIT.ok : EXIT.failed;
  return { answer: answer as unknown as JsonObject, line: remedy ?? NOTHING_TO_REBUILD, exit };
}

/** Resumes a request whose process failed. */
export async function recoverOnBus(context: CliContext, requestId: string, flags: RecoverFlags): Promise<Outcome> {
  const { recoverRequest } = await import('./recover.ts');
  const isDryRun = flags.dryRun === true;
  const answer = await recoverRequest(context, requestId, { patches: flags.patchEffect, isDryRun });
  return {
    answer: { ...(isDryRun && { dryRun: true }), ...answer },
    line: `${isDryRun ? 'would resume' : 'resuming'} ${requestId} after entry ${answer.errorSeq}`,
  };
}

/** Posts a result to a request, which cannot store files: command output is part of the value. */
export async function postOnBus(
  context: CliContext,
  requestId: string,
  effectId: string,
  flags: PostFlags,
): Promise<Outcome> {
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
  await (await control()).answerTask(context, requestId, effectId, options);
  const answer = { ...(dryRun && { dryRun }), effectId, status: given.status };
  return { answer, line: `${dryRun ? 'would send' : 'sent'} ${given.status} for ${effectId}` };
}

/** Cancels an effect of a request. */
export async function cancelOnBus(
  context: CliContext,
  requestId: string,
  effectId: string,
  { reason, dryRun }: ReasonFlags,
): Promise<Outcome> {
  await (await control()).cancelTask(context, requestId, effectId, {
    ...defined({ reason }),
    ...(dryRun && { dryRun }),
  });
  const answer = { ...(dryRun && { dryRun }), effectId, status: 'cancelled' };
  return { answer, line: `cancelling ${effectId}` };
}

/** Invalidates an effect of a request, and everything after it. */
export async function invalidateOnBus(
  context: CliContext,
  requestId: string,
  effectId: string,
  { reason, dryRun }: ReasonFlags,
): Promise<Outcome> {
  const options = { ...defined({ reason }), ...(dryRun && { dryRun }) };
  const cancelled = await (await control()).invalidateTask(context, requestId, effectId, options);
  return invalidated(effectId, cancelled, dryRun);
}

/** Forks a request: the gateway accepts the fork as a new request. */
export async function forkOnBus(
  context: CliContext,
  requestId: string,
  place: string,
  flags: ForkFlags,
): Promise<Fork> {
  if (flags.runId !== undefined)
    throw wrongUsage(
      '--run-id is for run directories only',
      'Leave it out: the gateway generates the id of a request.',
    );
  const { forkRequest } = await import('./fork.ts');
  const { fork, at } = await forkRequest(context, requestId, place, flags);
  const answer = { requestId: fork, forkedFrom: { requestId, at }, status: 'accepted' };
  return { answer, line: `forked ${requestId} as ${fork} (shared entries: at most ${at})`, requestId: fork };
}
