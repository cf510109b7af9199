import type { JsonObject } from '@reins/contracts';
import type { RepairPlan } from '@reins/journal/rundir';

/** What became of a repair, or would; of run directories and of requests. */
export interface RepairReport extends Pick<RepairPlan, 'dropped' | 'suspicious' | 'warnings' | 'whole'> {
  readonly rescued?: RepairPlan['rescued'];
  readonly restored?: RepairPlan['restored'];
  readonly lost?: RepairPlan['lost'];
  /** Whether something was changed; without it, whatever is not whole was. */
  readonly repaired?: boolean;
  /** What names the run, and how much there was and is of its journal. */
  readonly about: JsonObject;
  readonly journal: JsonObject;
  /** The same in words. */
  readonly line: string;
  readonly isDryRun: boolean;
}

/** Nothing is wrong with it. */
export const WHOLE = 'the journal is whole';
