import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { type Bus, type CallHandler, MEMORY_CALLS, type ServedCalls, serveCalls } from '@reins/bus';
import {
  type CHECKS,
  type MemoryAddCall,
  type MemoryEditCall,
  type MemoryForgetCall,
  type MemoryIdCall,
  type MemoryListCall,
  type MemoryRateCall,
  type MemoryRecallCall,
} from '@reins/contracts';
import { BUS } from '@reins/service-kit';
import { checked } from '../log/changes.ts';
import { MemoryService } from '../memory.service.ts';
import { recordNotFound } from '../model/decide.ts';
import { parseNamespace } from '../model/namespaces.ts';
import type { Actor } from '../model/policy.ts';
import { recall } from '../recall/recall.ts';
import { whileAvailable } from '../store/availability.ts';
import { Projection } from '../store/projection.ts';
import { findRecord, listNamespaces, listRecords, versionsOf } from '../store/queries.ts';
import { MemoryStore } from '../store/store.ts';
import { rebuildTables, verifyTables } from '../store/verify.ts';

/** Calls come from the gateway, which admits only people with an API key. */
const OPERATOR: Actor = { type: 'operator' };

/** Responds to the calls of the memory service. */
@Injectable()
export class MemoryCalls implements OnApplicationBootstrap, BeforeApplicationShutdown {
  #served: ServedCalls | undefined;
  #stopping = false;

  constructor(
    @Inject(BUS) private readonly bus: Bus,
    private readonly store: MemoryStore,
    private readonly memory: MemoryService,
    private readonly projection: Projection,
  ) {}

  /** Another instance takes the calls until this one can. */
  onApplicationBootstrap(): void {
    void this.projection.started.then(() => {
      if (this.#stopping) return;
      this.#served = serveCalls(this.bus, { prefix: MEMORY_CALLS, handlers: this.#handlers() });
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping = true;
    await this.#served?.stop();
  }

  #handlers(): Record<string, CallHandler> {
    const { db } = this.store;
    return {
      add: this.#call('MemoryAddCall', (call: MemoryAddCall) => this.memory.add(OPERATOR, call)),
      edit: this.#call('MemoryEditCall', (call: MemoryEditCall) => this.memory.edit(OPERATOR, call)),
      rate: this.#call('MemoryRateCall', (call: MemoryRateCall) => this.memory.rate(OPERATOR, call)),
      forget: this.#call('MemoryForgetCall', (call: MemoryForgetCall) => this.memory.forget(OPERATOR, call)),
      list: this.#call('MemoryListCall', (call: MemoryListCall) => this.#list(call)),
      show: this.#call('MemoryIdCall', async ({ id }: MemoryIdCall) => {
        const record = await findRecord(db, id);
        if (record) return record;
        throw recordNotFound(id);
      }),
      history: this.#call('MemoryIdCall', async ({ id }: MemoryIdCall) => {
        const records = await versionsOf(db, id);
        if (records.length > 0) return { records };
        throw recordNotFound(id);
      }),
      recall: this.#call('MemoryRecallCall', (call: MemoryRecallCall) => {
        for (const namespace of call.namespaces) parseNamespace(namespace);
        return recall(db, call, new Date().toISOString());
      }),
      namespaces: async () => this.#guarded(async () => ({ namespaces: await listNamespaces(db) })),
      verify: async () => this.#guarded(() => verifyTables(this.bus, this.store)),
      rebuild: async () => this.#guarded(() => rebuildTables(this.bus, this.store)),
    };
  }

  #call<Call>(name: keyof typeof CHECKS, handle: (call: Call) => Promise<unknown>): CallHandler {
    return (body) => this.#guarded(() => handle(checked(name, body) as Call));
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    this.projection.checkAvailable();
    return whileAvailable(work);
  }

  #list(call: MemoryListCall) {
    if (call.namespace !== undefined) parseNamespace(call.namespace);
    return listRecords(this.store.db, call);
  }
}
