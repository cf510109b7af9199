import type { JsonObject, JsonValue, Problem } from '@reins/contracts';
import { pendingEffects, type RunState } from '@reins/journal';
import { errorInfoOf, type Replay } from '@reins/replay';
import { workKind } from '@reins/run-directory';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import type { ReplayFlags } from './flags.ts';
import { openRunBackend } from './open-run-backend.ts';
import type { ReplayResult } from './replay-result.ts';

/** `reins replay`: replays the process over its journal and compares every decision. Writes nothing. */
export async function replayCommand(context: CliContext, argument: string, flags: ReplayFlags): Promise<ExitCode> {
  const run = await openRunBackend(context, argument, flags);
  const replayed = await run.replay(flags);
  const { problems } = replayed;
  const answer = report(replayed, flags);
  if (context.json) printJson(context, answer);
  else print(context, answer);
  return answer.identical && problems.length === 0 ? EXIT.ok : EXIT.failed;
}

function report({ runId, to, replay, status, ofBroken, problems }: ReplayResult, { verify }: ReplayFlags) {
  const { divergence, decisions, state, unrecorded, processState } = replay;
  return {
    runId,
    to,
    decisions,
    identical: divergence === undefined,
    ...(divergence && { divergence: divergenceReport(divergence) }),
    /** The outcome after the outstanding decisions. */
    standing: processState === 'broken' ? ofBroken : processState,
    state: { status, ...stateReport(state) },
    /** The outstanding decisions of the process. */
    owed: unrecorded.map(({ type, data }) => ({ type, ...('effectId' in data && { effectId: data.effectId }) })),
    ...(verify && { verified: problems.length === 0, problems: problems as unknown as JsonValue }),
  };
}

function divergenceReport({ effectId, version, expected, actual, error }: NonNullable<Replay['divergence']>) {
  const { code, message } = errorInfoOf(error);
  return {
    version: version ?? null,
    effectId: effectId ?? null,
    expected,
    actual,
    error: { code, message, hint: error.hint ?? null },
  };
}

function stateReport(state: RunState): JsonObject {
  const pending = pendingEffects(state).map((effect) => ({
    effectId: effect.effectId,
    kind: workKind(effect),
    label: effect.label ?? null,
  }));
  const output = state.end?.status === 'completed' ? { output: state.end.output } : {};
  return { effects: state.effects.size, pending, ...output };
}

function print(context: CliContext, answer: ReturnType<typeof report>): void {
  const { runId, to, decisions, identical, divergence, standing, state, owed: outstanding, problems } = answer;
  const next =
    outstanding.length === 0
      ? ''
      : `; after ${outstanding.length} more ${outstanding.length === 1 ? 'entry' : 'entries'}: ${standing}`;
  if (identical)
    context.out(
      `${runId}: replay matches the journal (${decisions} ${decisions === 1 ? 'decision' : 'decisions'}, ${to} entries); the run is ${state.status}${next}\n`,
    );
  else context.out(`${runId}: ${divergence?.error.message}\n  ${divergence?.error.hint ?? ''}\n`);
  for (const { message } of (problems ?? []) as unknown as Problem[]) context.note(message);
}
