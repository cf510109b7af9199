import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { outputText, printJson } from '../output/print.ts';
import { problemLine } from '../output/report.ts';
import type { IterationReport } from './iteration-report.ts';
import type { RunsFlags } from './locate.ts';
import { actionLines, postingLines } from './next-actions.ts';
import { openRunBackend } from './open-run-backend.ts';

/** `reins run:iterate` */
export async function runIterate(context: CliContext, argument: string, flags: RunsFlags): Promise<ExitCode> {
  const run = await openRunBackend(context, argument, flags);
  const { report, takesPosts } = await run.iterate();
  if (context.json) printJson(context, report);
  else {
    const runs = flags.runsDir === undefined ? '' : ` --runs-dir ${flags.runsDir}`;
    print(context, report, `${argument}${runs}`, takesPosts);
  }
  return report.status === 'waiting' || report.status === 'completed' ? EXIT.ok : EXIT.failed;
}

/**
 * @param run how commands name the run
 * @param takesPosts whether it takes results from `task:post`
 */
function print(context: CliContext, report: IterationReport, run: string, takesPosts: boolean): void {
  const { status, reason, output } = report;
  context.out(`${status}${reason === status ? '' : `: ${reason}`}\n`);
  if (status === 'completed' && output !== undefined && output !== null)
    context.out(`output:\n${outputText(output)}\n`);
  for (const action of report.nextActions ?? []) {
    for (const line of actionLines(action, run)) context.out(`  ${line}\n`);
    for (const line of takesPosts ? postingLines(action, run) : []) context.out(`    ${line}\n`);
  }
  if (report.error) context.note(problemLine(report.error));
}
