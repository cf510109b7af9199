import { Injectable } from '@nestjs/common';
import {
  type MemoryAddCall,
  type MemoryDecision,
  type MemoryEditCall,
  type MemoryEntry,
  type MemoryForgetCall,
  type MemoryForgotten,
  type MemoryRateCall,
  ReinsError,
} from '@reins/contracts';
import { ulid } from 'ulid';
import type { Change } from './log/changes.ts';
import { MemoryLog } from './log/memory-log.ts';
import { decideAdd, decideForget, decideRate, editOf, recordNotFound } from './model/decide.ts';
import { type Namespace, parseNamespace } from './model/namespaces.ts';
import { type Actor, checkAccess } from './model/policy.ts';
import { Projection } from './store/projection.ts';
import { findRecord, lastChangeOf, similarRecords, versionsOf } from './store/queries.ts';
import { MemoryStore } from './store/store.ts';

/** How often a command is decided again because its namespace changed meanwhile. */
const TRIES = 20;

/** What a command appends, if anything, and what it returns once that is in the tables. */
interface Step<Result> {
  readonly append?: { readonly id: string; readonly change: Change };
  readonly result: () => Promise<Result>;
}

/** Changes memory: decides commands, appends their changes, and waits until the tables have them. */
@Injectable()
export class MemoryService {
  constructor(
    private readonly store: MemoryStore,
    private readonly log: MemoryLog,
    private readonly projection: Projection,
  ) {}

  /** @throws ReinsError of `decideAdd`; `memory_namespace_invalid`, `memory_access_denied`, `service_unavailable` */
  async add(actor: Actor, call: MemoryAddCall): Promise<MemoryDecision> {
    const namespace = parseNamespace(call.namespace);
    checkAccess(actor, 'write', namespace);
    const { db } = this.store;
    return this.#change(namespace, async (): Promise<Step<MemoryDecision>> => {
      const superseded = call.supersedes === undefined ? undefined : await findRecord(db, call.supersedes);
      const similar = await similarRecords(db, namespace.name, call.text);
      const fresh = { id: ulid(), now: new Date().toISOString() };
      const decided = decideAdd(namespace, call, { similar, superseded }, fresh);
      const { decision } = decided;
      if (decision === 'duplicate') return { result: async () => ({ decision, record: decided.record }) };
      const result = async () => ({ decision, record: await this.#record(fresh.id) });
      return { append: { id: fresh.id, change: decided.change }, result };
    });
  }

  /** @throws ReinsError as `add`; `memory_record_not_found`, `memory_conflict` */
  async edit(actor: Actor, { id, text, source }: MemoryEditCall): Promise<MemoryDecision> {
    return this.add(actor, editOf(await this.#record(id), text, source));
  }

  /** @throws ReinsError `memory_record_not_found`, `memory_access_denied`, `service_unavailable` */
  async forget(actor: Actor, { id, ...why }: MemoryForgetCall): Promise<MemoryForgotten> {
    const namespace = parseNamespace((await this.#record(id)).namespace);
    checkAccess(actor, 'write', namespace);
    return this.#change(namespace, async () => {
      const change = decideForget(id, await versionsOf(this.store.db, id), why, new Date().toISOString());
      const recordIds = change?.records.map((record) => record.id) ?? [];
      return { ...(change && { append: { id: ulid(), change } }), result: async () => ({ recordIds }) };
    });
  }

  /** @throws ReinsError `memory_record_not_found`, `memory_access_denied`, `memory_conflict`, `service_unavailable` */
  async rate(actor: Actor, { id, ...rating }: MemoryRateCall): Promise<MemoryEntry> {
    const namespace = parseNamespace((await this.#record(id)).namespace);
    checkAccess(actor, 'write', namespace);
    return this.#change(namespace, async () => {
      const change = decideRate(await this.#record(id), rating, new Date().toISOString());
      return { append: { id: ulid(), change }, result: () => this.#record(id) };
    });
  }

  /** Decides, and appends what was decided. If the namespace changed meanwhile, decides again. */
  async #change<Result>(namespace: Namespace, decide: () => Promise<Step<Result>>): Promise<Result> {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      // Read before the records: a later change makes the append fail.
      const lastSeq = await lastChangeOf(this.store.db, namespace.name);
      const { append, result } = await decide();
      if (!append) return result();
      const appended = await this.log.append(namespace, append.id, append.change, lastSeq);
      if (appended.outcome === 'fenced') {
        await this.projection.caughtUp(appended.last?.seq ?? 0);
        continue;
      }
      await this.projection.caughtUp(appended.seq);
      return result();
    }
    throw new ReinsError({
      code: 'memory_conflict',
      message: `${namespace.name} changed ${TRIES} times while this change was decided`,
      path: 'namespace',
      hint: 'Try again.',
    });
  }

  async #record(id: string): Promise<MemoryEntry> {
    const record = await findRecord(this.store.db, id);
    if (!record) throw recordNotFound(id);
    return record;
  }
}
