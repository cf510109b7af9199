import type { EventOf } from '@reins/contracts';
import type { RowChanges, StateRows } from '../read-model.ts';
import type { ApprovalRow } from '../tables/approvals.ts';
import type { ArtifactRow } from '../tables/artifacts.ts';
import type { RequestRow } from '../tables/requests.ts';
import type { SessionRow } from '../tables/sessions.ts';
import type { StageRunRow } from '../tables/stage-runs.ts';
import type { UsageRow } from '../tables/usage.ts';
import { artifactRow, eventRow, traceViewRows, unreadableRow, usageRow } from './appended-rows.ts';
import { approvalAfter } from './approval-rows.ts';
import type { LogEvent, LogItem } from './log-event.ts';
import { requestAfter } from './request-rows.ts';
import { sessionAfter } from './session-rows.ts';
import { stageRunAfter, stageRunOf } from './stage-run-rows.ts';

/**
 * Computes the changes of a batch to the read model. Pure and deterministic: projecting a log in one batch or in many
 * gives the same rows.
 * @param known current rows of the requests and sessions in the batch
 * @param items the next messages of the log in order, without duplicates and without projected ones
 */
export function project(known: StateRows, items: readonly LogItem[], generation = 0): RowChanges {
  const batch = new Batch(known);
  const events = items.flatMap((item) => ('event' in item && batch.apply(item.event) ? [item.event] : []));
  return {
    ...batch.changes(),
    events: events.map((event) => eventRow(event, generation)),
    trace_views: events.flatMap((event) => traceViewRows(event, generation)),
    unreadable_messages: items.flatMap((item) =>
      'unreadable' in item ? [unreadableRow(item.unreadable, generation)] : [],
    ),
  };
}

/** Rows by key that track which ones changed. */
class Rows<R extends object> {
  readonly #rows = new Map<string, R>();
  readonly #changed = new Set<string>();
  readonly #keyOf: (row: R) => string;

  constructor(known: readonly R[], keyOf: (row: R) => string) {
    this.#keyOf = keyOf;
    for (const row of known) this.#rows.set(keyOf(row), row);
  }

  get(key: string): R | undefined {
    return this.#rows.get(key);
  }

  put(row: R | undefined): R | undefined {
    if (!row) return row;
    const key = this.#keyOf(row);
    if (this.#rows.get(key) === row) return row;
    this.#rows.set(key, row);
    this.#changed.add(key);
    return row;
  }

  all(): R[] {
    return [...this.#rows.values()];
  }

  changed(): R[] {
    return [...this.#changed].map((key) => this.#rows.get(key) as R);
  }
}

const keyed = (...parts: readonly (string | number)[]): string => parts.join(' ');

/** The state during a batch. */
class Batch {
  readonly #requests: Rows<RequestRow>;
  readonly #sessions: Rows<SessionRow>;
  readonly #stageRuns: Rows<StageRunRow>;
  readonly #approvals: Rows<ApprovalRow>;
  readonly #artifacts = new Rows<ArtifactRow>([], (row) => keyed(row.request_id, row.artifact_id));
  readonly #usage: UsageRow[] = [];
  /** Latest attempt of each effect. */
  readonly #attempts = new Map<string, number>();

  constructor(known: StateRows) {
    this.#requests = new Rows(known.requests, (row) => row.request_id);
    this.#sessions = new Rows(known.sessions, (row) => keyed(row.workspace_id, row.session_id));
    this.#stageRuns = new Rows(known.stage_runs, (row) => keyed(row.request_id, row.effect_id, row.attempt));
    this.#approvals = new Rows(known.approvals, (row) => keyed(row.request_id, row.approval_id));
    for (const row of known.stage_runs) this.#recordAttempt(row);
  }

  /** Applies an event. Returns false for a signal of a fenced attempt, which is not recorded. */
  apply(event: LogEvent): boolean {
    const { body } = event;
    if (body.type === 'runtime.adapter.event' && this.#isFenced(body)) return false;
    const request = this.#requests.put(requestAfter(this.#requests.get(body.requestId), event));
    this.#sessions.put(sessionAfter(this.#sessions.get(keyed(body.workspaceId, body.sessionId)), request, event));
    this.#applyToStageRun(event, this.#requests.get(body.requestId));
    if ('approvalId' in body && body.approvalId !== undefined) {
      this.#approvals.put(approvalAfter(this.#approvals.get(keyed(body.requestId, body.approvalId)), event));
    }
    if (body.type === 'runtime.child.started') this.#linkChild(body);
    if (body.type === 'runtime.usage.recorded') this.#usage.push(usageRow(event, body));
    if (body.type === 'runtime.artifact.created') this.#artifacts.put(artifactRow(event, body));
    return true;
  }

  changes(): StateRows & { readonly usage: UsageRow[]; readonly artifacts: ArtifactRow[] } {
    return {
      requests: this.#requests.changed(),
      sessions: this.#sessions.changed(),
      stage_runs: this.#stageRuns.changed(),
      approvals: this.#approvals.changed(),
      usage: this.#usage,
      artifacts: this.#artifacts.changed(),
    };
  }

  /** A host stores every signal of an attempt before its end. A later signal is from a host that lost its claim. */
  #isFenced({ requestId, effectId, attempt }: EventOf<'runtime.adapter.event'>): boolean {
    if (effectId === undefined || attempt === undefined) return false;
    const stageRun = this.#stageRuns.get(keyed(requestId, effectId, attempt));
    return Boolean(stageRun?.ended_at) || (this.#attempts.get(keyed(requestId, effectId)) ?? 0) > attempt;
  }

  #applyToStageRun(event: LogEvent, request: RequestRow | undefined): void {
    const ref = stageRunOf(event.body);
    if (!ref) return;
    const { requestId } = event.body;
    const attempt = ref.attempt ?? this.#attempts.get(keyed(requestId, ref.effectId)) ?? 1;
    const known = this.#stageRuns.get(keyed(requestId, ref.effectId, attempt));
    const row = stageRunAfter(known, attempt, event, request);
    if (row) this.#recordAttempt(row);
    this.#stageRuns.put(row);
  }

  /** Earlier versions named the parent of a child run only in this fact of the parent. */
  #linkChild({ requestId, effectId, childRequestId }: EventOf<'runtime.child.started'>): void {
    const child = this.#requests.get(childRequestId);
    if (!child || child.parent_request_id !== null) return;
    const root_request_id = this.#requests.get(requestId)?.root_request_id ?? requestId;
    const parent = { parent_request_id: requestId, root_request_id };
    this.#requests.put({ ...child, ...parent, parent_effect_id: effectId });
    const stages = this.#stageRuns.all().filter((row) => row.request_id === childRequestId);
    for (const row of stages) this.#stageRuns.put({ ...row, ...parent });
  }

  #recordAttempt({ request_id, effect_id, attempt }: StageRunRow): void {
    const key = keyed(request_id, effect_id);
    this.#attempts.set(key, Math.max(attempt, this.#attempts.get(key) ?? 0));
  }
}
