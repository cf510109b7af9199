import { runsOf } from '../projection/known-rows.ts';
import type { LogItem } from '../projection/log-event.ts';
import { project } from '../projection/project.ts';
import type { AppendedRows, StateRows } from '../projection/row-changes.ts';
import type { ApprovalRow, ArtifactRow, RequestRow, SessionRow, StageRunRow } from '../schema/tables.ts';

/** Rows that nothing will change any more, fit to be copied at once. */
export type FinalRows = Omit<AppendedRows, 'artifacts'>;
/** Rows that later events may change. */
export type OpenRows = StateRows & { readonly artifacts: readonly ArtifactRow[] };

const keyed = (...parts: readonly (string | number)[]): string => parts.join(' ');

/**
 * The log folded from its beginning, part by part: hands out the rows that are final, and holds the ones that are not. What it holds
 * grows with the number of requests, not with that of events.
 */
export class ShadowFold {
  readonly #requests = new Map<string, RequestRow>();
  readonly #sessions = new Map<string, SessionRow>();
  /** Of a request, oldest first. */
  readonly #stageRuns = new Map<string, Map<string, StageRunRow>>();
  readonly #approvals = new Map<string, Map<string, ApprovalRow>>();
  readonly #artifacts = new Map<string, ArtifactRow>();

  /** @param items the next messages of the log, each id once */
  take(items: readonly LogItem[], generation: number): FinalRows {
    const { requests, sessions, stage_runs, approvals, artifacts, ...final } = project(
      this.#touchedBy(items),
      items,
      generation,
    );
    for (const row of requests) this.#requests.set(row.request_id, row);
    for (const row of sessions) this.#sessions.set(keyed(row.workspace_id, row.session_id), row);
    for (const row of stage_runs) within(this.#stageRuns, row.request_id).set(keyed(row.effect_id, row.attempt), row);
    for (const row of approvals) within(this.#approvals, row.request_id).set(row.approval_id, row);
    for (const row of artifacts) this.#artifacts.set(keyed(row.request_id, row.artifact_id), row);
    return final;
  }

  open(): OpenRows {
    return {
      requests: [...this.#requests.values()],
      sessions: [...this.#sessions.values()],
      stage_runs: [...this.#stageRuns.values()].flatMap((rows) => [...rows.values()]),
      approvals: [...this.#approvals.values()].flatMap((rows) => [...rows.values()]),
      artifacts: [...this.#artifacts.values()],
    };
  }

  #touchedBy(items: readonly LogItem[]): StateRows {
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

function within<R>(rows: Map<string, Map<string, R>>, requestId: string): Map<string, R> {
  const own = rows.get(requestId) ?? new Map<string, R>();
  rows.set(requestId, own);
  return own;
}
