import type { JsonObject } from '@reins/contracts';
import type { EntryDraft } from '@reins/journal';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';

/** What a command did, or would do. */
export interface Outcome {
  /** For `--json`. */
  readonly answer: JsonObject;
  /** For people. */
  readonly line: string;
  /** Default: 0. */
  readonly exit?: ExitCode;
}

/** Prints an outcome: as JSON, or as one line. */
export function printOutcome(context: CliContext, { answer, line, exit = EXIT.ok }: Outcome): ExitCode {
  if (context.json) printJson(context, answer);
  else context.out(`${line}\n`);
  return exit;
}

/** The ids of the effects that the drafts cancel. */
export const cancelledIn = (drafts: readonly EntryDraft[]): string[] =>
  drafts.flatMap((draft) => (draft.type === 'EFFECT_CANCELLED' ? [draft.data.effectId] : []));

/** The outcome of `task:invalidate`. @param cancelled the ids of the effects that it cancels */
export function invalidated(effectId: string, cancelled: readonly string[], dryRun = false): Outcome {
  const answer = { ...(dryRun && { dryRun }), effectId, invalidated: !dryRun, cancelledEffects: [...cancelled] };
  return { answer, line: `${effectId} and everything after it ${dryRun ? 'would be' : 'will be'} requested again` };
}

/** What `run:rebuild-state` says when nothing differs. */
export const NOTHING_TO_REBUILD = 'all derived state matches the journal';
