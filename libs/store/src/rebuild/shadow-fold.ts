import { runsOf } from '../projection/known-rows.ts';
import type { LogItem } from '../projection/log-event.ts';
import { project } from '../projection/project.ts';
import type { AppendedRows, StateRows } from '../read-model.ts';
import type { ApprovalRow } from '../tables/approvals.ts';
import type { ArtifactRow } from '../tables/artifacts.ts';
import type { RequestRow } from '../tables/requests.ts';
import type { SessionRow } from '../tables/sessions.ts';
import type { StageRunRow } from '../tables/stage-runs.ts';

/** Rows that never change again and can be copied immediately. */
export type FinalRows = Omit<AppendedRows, 'artifacts'>;
/** Rows that later events may change. */
export type MutableRows = StateRows & { readonly artifacts: readonly ArtifactRow[] };

const keyed = (...parts: readonly (string | number)[]): string => parts.join(' ');

/**
 * Folds the event log from its start in parts. Returns the final rows of each part and keeps the mutable ones. Its
 * memory use grows with the number of requests, not of events.
 */
export class ShadowFold {
  readonly #requests = new Map<string, RequestRow>();
  readonly #sessions = new Map<string, SessionRow>();
  /** By request, oldest first. */
  readonly #stageRuns = new Map<string, Map<string, StageRunRow>>();
  readonly #approvals = new Map<string, Map<string, ApprovalRow>>();
  readonly #artifacts = new Map<string, ArtifactRow>();

  /**
   * Folds the next messages and returns their final rows.
   * @param items the next messages of the log, without duplicates
   */
  take(items: readonly LogItem[], generation: number): FinalRows {
    const { requests, sessions, stage_runs, approvals, artifacts, ...final } = project(
      this.#affectedRows(items),
      items,
      generation,
    );
    for (const row of requests) this.#requests.set(row.request_id, row);
    for (const row of sessions) this.#sessions.set(keyed(row.workspace_id, row.session_id), row);
    for (const row of stage_runs) rowsOf(this.#stageRuns, row.request_id).set(keyed(row.effect_id, row.attempt), row);
    for (const row of approvals) rowsOf(this.#approvals, row.request_id).set(row.approval_id, row);
    for (const row of artifacts) this.#artifacts.set(keyed(row.request_id, row.artifact_id), row);
    return final;
  }

  mutableRows(): MutableRows {
    return {
      requests: [...this.#requests.values()],
      sessions: [...this.#sessions.values()],
      stage_runs: [...this.#stageRuns.values()].flatMap((rows) => [...rows.values()]),
      approvals: [...this.#approvals.values()].flatMap((rows) => [...rows.values()]),
      artifacts: [...this.#artifacts.values()],
    };
  }

  #affectedRows(items: readonly LogItem[]): StateRows {
    const bodies = items.flatMap((item) => ('event' in item ? [item.event.body] : []));
    const requestIds = [...new Set(bodies.flatMap(runsOf))];
    const sessions = new Set(bodies.map(({ workspaceId, sessionId }) => keyed(workspaceId, sessionId)));
    return {
      requests: requestIds.flatMap((id) => this.#requests.get(id) ?? []),
      sessions: [...sessions].flatMap((key) => this.#sessions.get(key) ?? []),
      stage_runs: requestIds.flatMap((id) => [...(this.#stageRuns.get(id)?.values() ?? [])]),
      approvals: requestIds.flatMap((id) => [...(this.#approvals.get(id)?.values() ?? [])]),
    };
  }
}

function rowsOf<R>(rows: Map<string, Map<string, R>>, requestId: string): Map<string, R> {
  const own = rows.get(requestId) ?? new Map<string, R>();
  rows.set(requestId, own);
  return own;
}
