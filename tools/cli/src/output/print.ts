import type { JsonValue } from '@reins/contracts';
import type { CliContext } from '../context.ts';
import type { RunResult, StageRow } from '../run/result.ts';
import { waitingText } from '../run/waiting.ts';
import { problemLine } from './report.ts';
import { table } from './table.ts';

export function printJson(context: CliContext, value: unknown): void {
  context.out(`${JSON.stringify(value, null, 2)}\n`);
}

/**
 * The table of stage runs. The headers are the keys of the JSON output.
 * @param requestId the request: the table names the runs of the stages if there are others
 */
export function stageTable(requestId: string, stages: readonly StageRow[]): string {
  const hasChildren = stages.some(({ request_id }) => request_id !== requestId);
  const rows = stages.map(({ request_id, stage, runtime_id, runtime_source, attempt, status }) => [
    stage,
    runtime_id,
    runtime_source ?? '',
    String(attempt),
    status,
    ...(hasChildren ? [request_id] : []),
  ]);
  const own = ['stage', 'runtime_id', 'runtime_source', 'attempt', 'status'];
  return table(hasChildren ? [...own, 'request_id'] : own, rows);
}

/** Prints a run as human-readable text: stages, changed files, and the output or what the run waits for. */
export function printRun(context: CliContext, result: RunResult): void {
  const files = result.files.map(({ path, change }) => `  ${change.padEnd(8)} ${path}`);
  const sections = [
    '',
    stageTable(result.requestId, result.stages),
    '',
    files.length > 0 ? `files changed:\n${files.join('\n')}` : 'files changed: none',
    '',
    ending(result),
    '',
  ];
  context.out(sections.join('\n'));
}

function ending({ requestId, status, output, error, cancelReason, waiting }: RunResult): string {
  if (waiting) return waitingText(requestId, waiting);
  if (cancelReason !== undefined) return `${status}: ${cancelReason}`;
  if (error) return `${status}: ${problemLine(error)}`;
  return output === null ? status : `${status}; output:\n${outputText(output)}`;
}

export function outputText(output: JsonValue): string {
  if (typeof output === 'string') return output;
  const text = output && typeof output === 'object' && 'text' in output ? output.text : undefined;
  return typeof text === 'string' ? text : JSON.stringify(output, null, 2);
}
