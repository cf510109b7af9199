import { wrongUsage } from '../arguments.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { AssignFlags, DryRunFlags, ForkFlags, HaltFlags, PostFlags, ReasonFlags, RecoverFlags } from './flags.ts';
import type { RunsFlags } from './locate.ts';
import { openRunBackend } from './open-run-backend.ts';
import { type Outcome, printOutcome } from './outcome.ts';
import type { RunBackend } from './run-backend.ts';

/** Changes a run, and prints the outcome. */
async function changeRun(
  context: CliContext,
  argument: string,
  flags: RunsFlags,
  change: (run: RunBackend) => Promise<Outcome>,
): Promise<ExitCode> {
  return printOutcome(context, await change(await openRunBackend(context, argument, flags)));
}

/** `reins run:assign-process` */
export async function runAssignProcess(context: CliContext, argument: string, flags: AssignFlags): Promise<ExitCode> {
  const { entry } = flags;
  if (entry === undefined) throw wrongUsage('--entry <path>#<export> is missing');
  return changeRun(context, argument, flags, (run) => run.assign(entry, flags));
}

/** `reins run:halt` */
export const runHalt = (context: CliContext, argument: string, flags: HaltFlags): Promise<ExitCode> =>
  changeRun(context, argument, flags, (run) => run.halt(flags));

/** `reins run:rebuild-state`: returns 1 if something is not rebuilt. */
export const runRebuildState = (context: CliContext, argument: string, flags: DryRunFlags): Promise<ExitCode> =>
  changeRun(context, argument, flags, (run) => run.rebuildState(flags));

/** `reins run:recover-process-error` */
export const runRecover = (context: CliContext, argument: string, flags: RecoverFlags): Promise<ExitCode> =>
  changeRun(context, argument, flags, (run) => run.recover(flags));

/** `reins task:post`: stores a result. Returns 0 also when the stored result is an error. */
export const taskPost = (
  context: CliContext,
  argument: string,
  effectId: string,
  flags: PostFlags,
): Promise<ExitCode> => changeRun(context, argument, flags, (run) => run.post(effectId, flags));

/** `reins task:cancel` */
export const taskCancel = (
  context: CliContext,
  argument: string,
  effectId: string,
  flags: ReasonFlags,
): Promise<ExitCode> => changeRun(context, argument, flags, (run) => run.cancel(effectId, flags));

/** `reins task:invalidate` */
export const taskInvalidate = (
  context: CliContext,
  argument: string,
  effectId: string,
  flags: ReasonFlags,
): Promise<ExitCode> => changeRun(context, argument, flags, (run) => run.invalidate(effectId, flags));

/** `reins fork`. Follows the fork of a request, unless `--json` or `--detach` is given. */
export async function forkCommand(context: CliContext, argument: string, flags: ForkFlags): Promise<ExitCode> {
  if (flags.at === undefined)
    throw wrongUsage('--at <place> is missing', 'List the entries and effects with `reins run:events`.');
  const run = await openRunBackend(context, argument, flags);
  const { requestId, ...outcome } = await run.fork(flags.at, flags);
  if (requestId === undefined) return printOutcome(context, outcome);
  const { followHint, followToEnd } = await import('../run/actions.ts');
  if (context.json || flags.detach) {
    const exit = printOutcome(context, outcome);
    context.note(followHint(requestId));
    return exit;
  }
  context.note(outcome.line);
  return followToEnd(context, new GatewayClient(gatewayAddress(context)), requestId);
}
