import { defined, type ErrorInfo, isObject, type JsonValue } from '@reins/contracts';
import type { CliContext } from '../context.ts';
import type { RunResult } from '../run/result.ts';
import type { StageRow } from '../run/stage-rows.ts';
import { problemLine } from './report.ts';
import { durationText, placeText } from './run-lines.ts';
import { shortened, table } from './table.ts';
import { waitsText } from './wait-lines.ts';

export function printJson(context: CliContext, value: unknown): void {
  context.out(`${JSON.stringify(value, null, 2)}\n`);
}

interface Column {
  readonly header: string;
  readonly value: (row: StageRow) => string;
  /** Shown even if it has no value. */
  readonly always?: boolean;
}

const STAGE_COLUMNS: readonly Column[] = [
  { header: 'stage', value: ({ stage }) => stage, always: true },
  { header: 'runtime_id', value: ({ runtime_id }) => runtime_id, always: true },
  { header: 'runtime_source', value: ({ runtime_source }) => runtime_source ?? '', always: true },
  { header: 'attempt', value: ({ attempt }) => String(attempt), always: true },
  { header: 'status', value: ({ status }) => status, always: true },
  { header: 'shared_from', value: ({ shared_from }) => shared_from ?? '' },
  { header: 'iteration', value: ({ iteration }) => String(iteration ?? '') },
  { header: 'started', value: ({ started_at }) => (started_at === undefined ? '' : timeText(started_at)) },
  { header: 'queue', value: queueText },
  { header: 'duration', value: stageDuration },
  { header: 'in/cached/out', value: tokensText },
  { header: 'cost', value: ({ cost_usd }) => (cost_usd === undefined ? '' : costText(cost_usd)) },
  { header: 'verdict', value: ({ verdict }) => (isObject(verdict) ? String(verdict.outcome ?? '') : '') },
];

/**
 * The table of stage runs, with the reasons of verdicts and the errors below it. Columns without values are omitted.
 * @param requestId the request: the table names the runs of the stages if there are others
 * @param ending the error of the request: its hint is printed elsewhere
 */
export function stageTable(requestId: string, stages: readonly StageRow[], ending?: ErrorInfo): string {
  const columns = STAGE_COLUMNS.filter(({ always, value }) => always || stages.some((row) => value(row) !== ''));
  if (stages.some(({ request_id }) => request_id !== requestId))
    columns.push({ header: 'request_id', value: (row) => row.request_id });
  const cells = stages.map((row) => columns.map(({ value }) => value(row)));
  const findings = stages.flatMap((row, index) => findingsOf(row, attemptsAlike(stages, index), ending));
  return [
    table(
      columns.map(({ header }) => header),
      cells,
    ),
    ...(findings.length > 0 ? ['', ...findings] : []),
  ].join('\n');
}

/** The duration of a shared stage is that of the other request. */
function stageDuration({ duration_ms, shared_from }: StageRow): string {
  if (duration_ms !== undefined) return durationText(duration_ms);
  return shared_from === undefined ? '' : '-';
}

function queueText({ queue_ms, queue_position, queue_slots, queue_estimate_ms }: StageRow): string {
  if (queue_ms !== undefined) return durationText(queue_ms);
  if (queue_position === undefined) return '';
  return placeText({
    position: queue_position,
    ...defined({ slots: queue_slots }),
    ...(typeof queue_estimate_ms === 'number' && { estimatedWaitMs: queue_estimate_ms }),
  });
}

/**
 * The attempts that failed like this one, in order. Empty if this is not the first of them: an error that each attempt
 * repeats is shown once.
 */
function attemptsAlike(stages: readonly StageRow[], index: number): number[] {
  const [row, ...next] = stages.slice(index);
  if (!row?.error) return [];
  const isAlike = (other: StageRow): boolean => failureKey(other) === failureKey(row);
  if (stages.slice(0, index).some(isAlike)) return [];
  return [row, ...next.filter(isAlike)].map(({ attempt }) => attempt);
}

/** Two attempts at one run of a stage failed with the same error if they have the same key. */
const failureKey = ({ request_id, stage, iteration, error }: StageRow): string =>
  JSON.stringify([request_id, stage, iteration, error?.code, error?.message]);

/** Why a stage failed, or what its verdict says. @param alike the attempts with this error */
function findingsOf(
  { stage, iteration, attempt, verdict, error }: StageRow,
  alike: readonly number[],
  ending?: ErrorInfo,
): string[] {
  const name = `${stage}${iteration === undefined ? '' : ` ${iteration}`}`;
  const run = `${name}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
  const failed = alike.length > 1 ? `${name}, attempts ${alike.join(', ')}` : run;
  const reasons = isObject(verdict) && Array.isArray(verdict.reasons) ? verdict.reasons.map(String) : [];
  return [
    ...(reasons.length > 0
      ? [`${run}: ${isObject(verdict) ? String(verdict.outcome) : ''}: ${reasons.join('; ')}`]
      : []),
    ...(error && alike.length > 0 ? [`${failed} failed: ${problemLine(withoutHint(error, ending))}`] : []),
  ];
}

/** The error that ended the request is printed with its hint and its place at the end. */
const withoutHint = (error: ErrorInfo, ending: ErrorInfo | undefined): ErrorInfo =>
  error.message === ending?.message ? { code: error.code, message: error.message } : error;

function tokensText({ input_tokens, cached_input_tokens = 0, output_tokens = 0 }: StageRow): string {
  return input_tokens === undefined ? '' : `${input_tokens}/${cached_input_tokens}/${output_tokens}`;
}

function costText(cost: number | 'unknown'): string {
  if (cost === 'unknown') return cost;
  return cost > 0 && cost < LOWEST_COST ? `< $${LOWEST_COST}` : `$${cost.toFixed(4)}`;
}

/** Less would look like a call that is free. */
const LOWEST_COST = 0.0001;

/** The local time of day. */
const timeText = (time: string): string => new Date(time).toTimeString().slice(0, 8);

const MAX_INPUT = 200;

/** Prints what the request is: its input, its workspace and session, its start and its status. */
export function printHead(context: CliContext, result: RunResult): void {
  const { requestId, workspaceId, sessionId, status, halted, startedAt, inputLine = inputText(result.input) } = result;
  const lines = [
    ['request', requestId],
    ['input', inputLine && shortened(inputLine, MAX_INPUT)],
    ['workspace', workspaceId],
    ['session', sessionId],
    ['started', startedAt],
    ['status', halted ? 'halted' : status],
  ] as const;
  context.out(lines.map(([name, value]) => (value ? `${name.padEnd(10)} ${value}\n` : '')).join(''));
}

/** The first line of the input, for a request without `inputLine`. */
const inputText = (input: JsonValue | undefined): string | undefined =>
  input === undefined ? undefined : outputText(input).trim().split('\n', 1)[0];

/** Prints a run as human-readable text: stages, changed files, and the output or what the run waits for. */
export function printRun(context: CliContext, result: RunResult): void {
  const files = result.files.map(({ path, change }) => `  ${change.padEnd(8)} ${path}`);
  const sections = [
    '',
    ...(result.stages.length > 0 ? [stageTable(result.requestId, result.stages, result.error), ''] : []),
    files.length > 0 ? `files changed:\n${files.join('\n')}` : 'files changed: none',
    ...totals(result),
    ...unavailableLines(result),
    ...links(result),
    ...decisionLines(result),
    ...keptSignalLines(result),
    '',
    ending(context, result),
    '',
  ];
  context.out(sections.join('\n'));
}

/** The time and the cost of the whole request. */
function totals({ durationMs, usage }: RunResult): string[] {
  const time = durationMs === undefined ? [] : [`duration ${durationText(durationMs)}`];
  if (!usage || usage.inputTokens + usage.outputTokens === 0) return time;
  const { inputTokens, cachedInputTokens, outputTokens, costUsd } = usage;
  const tokens = `tokens ${inputTokens} in (${cachedInputTokens} cached), ${outputTokens} out`;
  const cost = costUsd === undefined ? [] : [`cost ${costText(costUsd)}`];
  return [[...time, tokens, ...cost].join(' · ')];
}

/** The servers that stages ran without. The result may be worse for it. */
const unavailableLines = ({ unavailableServers = [] }: RunResult): string[] =>
  unavailableServers.map(({ serverId, reason, missingToolIds }) => {
    const missing = missingToolIds.length === 0 ? '' : ` (${missingToolIds.join(', ')})`;
    return `unavailable: ${serverId}${missing}: ${reason}`;
  });

/** Who decided which approval or breakpoint, and with which comment. */
const decisionLines = ({ approvals = [] }: RunResult): string[] =>
  approvals.flatMap(({ approvalId, label = approvalId, status, decidedBy, comment }) =>
    status === 'requested'
      ? []
      : [`${label}: ${status}${decidedBy ? ` by ${decidedBy}` : ''}${comment ? `: ${comment}` : ''}`],
  );

/** The signals that nothing waited for: a process may take them later. */
export const keptSignalLines = ({ keptSignals = [] }: RunResult): string[] =>
  keptSignals.map(({ name, count, since }) => {
    const times = count === 1 ? '' : `, ${count} times`;
    return `nothing waited for signal ${name} when it arrived (${timeText(since)}${times})`;
  });

/** The request that it retries, and the requests that retry it. */
const links = ({ retryOf, retriedBy = [] }: RunResult): string[] => [
  ...(retryOf === undefined ? [] : [`retry of ${retryOf}`]),
  ...(retriedBy.length > 0 ? [`retried by ${retriedBy.join(', ')}`] : []),
];

function ending(context: CliContext, result: RunResult): string {
  const { parked, requestId } = result;
  if (!parked) return outcomeText(context, result);
  const reason = `parked since ${parked.since}: ${parked.code}: ${parked.message}`;
  const retry = context.typed(`retry now: reins requests unpark ${requestId}`);
  return [outcomeText(context, result), reason, retry].join('\n');
}

function outcomeText({ typed }: CliContext, result: RunResult): string {
  const { output, error, cancelReason, waits = [], stages } = result;
  const status = endedByText(result);
  if (waits.length > 0) return typed(openText(result));
  if (result.status === 'running') return [status, ...stages.flatMap(workLine)].join('\n');
  if (cancelReason !== undefined) return status;
  if (error) return `${status}: ${problemLine(error)}`;
  return output === null ? status : `${status}; output:\n${outputText(output)}`;
}

/** The status, with who halted or cancelled the request, and why. */
function endedByText({ status, halted, haltReason, haltedBy, cancelReason, cancelledBy }: RunResult): string {
  const by = halted ? haltedBy : cancelledBy;
  const why = halted ? haltReason : cancelReason;
  return `${halted ? 'halted' : status}${by === undefined ? '' : ` by ${by}`}${why === undefined ? '' : `: ${why}`}`;
}

/** What a request that has not ended does, and what it waits for; empty if that is not known. */
export function openText({ requestId, stages, waits = [], waitCount }: RunResult): string {
  const waiting = waits.length > 0 ? [waitsText(requestId, waits, waitCount)] : [];
  return [...stages.flatMap(workLine), ...waiting].join('\n');
}

/** What a stage that has not ended does. */
function workLine(row: StageRow): string[] {
  const { stage, runtime_id, status, started_at, progress } = row;
  if (status === 'requested' && progress !== undefined) return [`stage ${stage} is being prepared: ${progress}`];
  if (status === 'requested') {
    const place = queueText(row);
    return [`stage ${stage} waits for a free host that offers ${runtime_id}${place && `, ${place}`}`];
  }
  const since = started_at === undefined ? '' : ` since ${timeText(started_at)}`;
  const now = progress === undefined ? '' : `; it ${progress}`;
  return status === 'running' ? [`stage ${stage} runs on ${runtime_id}${since}${now}`] : [];
}

export function outputText(output: JsonValue): string {
  if (typeof output === 'string') return output;
  const text = output && typeof output === 'object' && 'text' in output ? output.text : undefined;
  return typeof text === 'string' ? text : JSON.stringify(output, null, 2);
}
