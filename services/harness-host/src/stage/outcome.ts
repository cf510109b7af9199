import {
  CHECKS,
  defined,
  type ErrorInfo,
  isReinsError,
  isRetryable,
  type JsonValue,
  type Problem,
  problemOf,
  type Stage,
  type StageHandoff,
  type Verdict,
} from '@reins/contracts';
import { CUT, type HarnessResult } from '@reins/harness';
import type { Redactor } from '../secrets/redactor.ts';
import type { ServicesOutcome } from '../services/stage-services.ts';
import type { StageAnswer } from './answers.ts';

/** What was captured after a successful execution. */
export interface Captured extends ServicesOutcome {
  readonly tree: string;
  readonly harnessSessionId?: string;
  readonly handoff?: StageHandoff;
}

export type OkResult = Extract<HarnessResult, { status: 'ok' }>;

const VERDICT_FORM = 'Return {"outcome": "pass" or "fail", "reasons": ["…"]}, as JSON and nothing else.';

/**
 * The error of a failed execution. If it shows how an answer begins, it is one line without the beginning of a secret.
 * That of an evaluation whose output is not a verdict says what a verdict is.
 */
export function executionError(stage: Stage, error: ErrorInfo, redactor: Redactor): ErrorInfo {
  if (error.code !== 'harness_output_invalid') return error;
  const hint = error.hint ?? (stage === 'evaluate' ? VERDICT_FORM : undefined);
  const message = withoutPartialSecret(error.message, redactor).replaceAll(/\s+/g, ' ');
  return { ...error, message, ...defined({ hint }) };
}

function withoutPartialSecret(message: string, redactor: Redactor): string {
  if (!message.endsWith(CUT)) return message;
  const shown = message.slice(0, -CUT.length);
  return `${shown.slice(0, shown.length - redactor.partialSecretLength(shown)).trimEnd()}${CUT}`;
}

/** The answer of a successful execution. An evaluation without a valid verdict fails. */
export function completedAnswer(
  stage: Stage,
  result: OkResult,
  captured: Captured,
  timings: Readonly<Record<string, number>>,
): StageAnswer {
  const { verdict, problems: [invalid] = [] } = stage === 'evaluate' ? verdictOf(result.output) : {};
  if (invalid) {
    const message = `the evaluation returned no valid verdict: ${invalid.message}`;
    return {
      ...failedAnswer({ code: 'harness_output_invalid', message, hint: VERDICT_FORM }, true),
      ...(result.usage && { usage: result.usage }),
    };
  }
  return {
    type: 'runtime.stage.completed',
    output: result.output,
    ...captured,
    ...(verdict && { verdict }),
    ...(result.usage && { usage: result.usage }),
    timings,
  };
}

/** The verdict, or what is wrong with the output. */
function verdictOf(output: JsonValue): { readonly verdict?: Verdict; readonly problems?: readonly Problem[] } {
  const problems: Problem[] = [];
  CHECKS.Verdict(output, 'verdict', problems);
  return problems.length === 0 ? { verdict: output as unknown as Verdict } : { problems };
}

/** The answer of an execution that asks a question. No host works on the stage until the question is answered. */
export function suspendedAnswer(
  { question, usage }: Extract<HarnessResult, { status: 'waiting' }>,
  { tree, harnessSessionId }: Captured,
  signals: number,
): StageAnswer {
  const suspended = { tree, signals, ...defined({ harnessSessionId }) };
  return { type: 'runtime.stage.waiting', question, suspended, ...(usage && { usage }) };
}

/** The result of an execution. If it failed after a model call was refused because of the budget, that is the reason. */
export function withinBudget(result: HarnessResult, overBudget: ErrorInfo | undefined): HarnessResult {
  if (!overBudget || (result.status !== 'failed' && result.status !== 'unknown')) return result;
  return { ...result, status: 'failed', error: overBudget, retryable: false };
}

export function failedAnswer(
  error: ErrorInfo,
  retryable: boolean,
  outcome: 'failed' | 'unknown' = 'failed',
): Extract<StageAnswer, { type: 'runtime.stage.failed' }> {
  const { code, message, path, hint } = error;
  const info = { code, message, ...defined({ path, hint }) };
  return { type: 'runtime.stage.failed', error: info, retryable, outcome };
}

/** The answer of a stage that threw an error. */
export function thrownAnswer(error: unknown): StageAnswer {
  const problem = problemOf(error);
  const retryable = !isReinsError(error) || isRetryable(problem.code);
  return failedAnswer(problem, retryable);
}

/** The answer of a stage with an unknown outcome. */
export function unknownAnswer(message: string): StageAnswer {
  return failedAnswer({ code: 'stage_outcome_unknown', message }, true, 'unknown');
}
