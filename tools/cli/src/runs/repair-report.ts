import type { JsonObject } from '@reins/contracts';
import type { RepairPlan } from '@reins/run-directory';

/** The report of a repair or of its dry run; for run directories and requests. */
export interface RepairReport
  extends Pick<
    RepairPlan,
    'dropped' | 'suspicious' | 'warnings' | 'whole' | 'reordered' | 'aside' | 'unproven' | 'accepted'
  > {
  readonly rescued?: RepairPlan['rescued'];
  readonly restored?: RepairPlan['restored'];
  readonly lost?: RepairPlan['lost'];
  /** Whether something was changed. Default: whether the journal was corrupted. */
  readonly repaired?: boolean;
  /** Fields that identify the run, and the journal size before and after. */
  readonly about: JsonObject;
  readonly journal: JsonObject;
  /** The human-readable summary line. */
  readonly line: string;
  readonly isDryRun: boolean;
}

/** The summary of a journal without problems. */
export const INTACT = 'the journal is intact';
