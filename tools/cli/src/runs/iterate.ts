import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { problemLine } from '../output/report.ts';
import type { IterationReport } from './iteration-report.ts';
import type { RunsFlags } from './locate.ts';
import { postingLines } from './next-actions.ts';
import { openRunBackend } from './open-run-backend.ts';

/** `reins run:iterate` */
export async function runIterate(context: CliContext, argument: string, flags: RunsFlags): Promise<ExitCode> {
  const run = await openRunBackend(context, argument, flags);
  const { report, takesPosts } = await run.iterate();
  if (context.json) printJson(context, report);
  else {
    const runs = flags.runsDir === undefined ? '' : ` --runs-dir ${flags.runsDir}`;
    print(context, report, takesPosts ? `${argument}${runs}` : undefined);
  }
  return report.status === 'waiting' || report.status === 'completed' ? EXIT.ok : EXIT.failed;
}

/** @param postTo how `task:post` names the run; undefined for a run that takes no posts */
function print(context: CliContext, report: IterationReport, postTo: string | undefined): void {
  context.out(`${report.status}: ${report.reason}\n`);
  for (const action of report.nextActions ?? []) {
    context.out(`  ${action.effectId} ${action.kind} ${action.label}\n`);
    for (const line of postTo === undefined ? [] : postingLines(action, postTo)) context.out(`    ${line}\n`);
  }
  if (report.error) context.note(problemLine(report.error));
}
