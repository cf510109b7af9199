import { type JsonValue, ReinsError } from '@reins/contracts';
import type { AuthoredProcesses, AuthoredRef } from '@reins/control-bus/core';
import type { ProcessRunner } from '@reins/replay';
import { type RunSpec, runnerFor, type Tenant } from '@reins/sandbox/core';
import { authoredProcesses, INVALID_INPUT, isAuthoredHere, MAIN } from '../world/authored.ts';
import { SimulatedChild } from './child.ts';
import type { Machine } from './machine.ts';

const LIMITS = { memoryMb: 1, turnMs: 10_000, maxTurnBytes: 1 };
const IDLE_MS = 20_000;

/** Stands in for `WorkspaceProcesses` of the control bus. The sandbox code is real, its child processes are simulated. */
export class SimulatedProcesses implements AuthoredProcesses {
  readonly #machine: Machine;
  /** The version of all workspace code on this machine. */
  readonly #codeHash: string;
  readonly #tenants = new Set<Tenant>();

  constructor(machine: Machine, codeHash: string) {
    this.#machine = machine;
    this.#codeHash = codeHash;
  }

  named(): Promise<string> {
    return this.#machine.call('read workspace', () => MAIN);
  }

  async runner({ id }: AuthoredRef): Promise<ProcessRunner> {
    await this.#machine.call('read process', () => undefined);
    if (!isAuthoredHere(id))
      throw new ReinsError({ code: 'process_export_missing', message: `unknown process ${id}`, path: id });
    return runnerFor(this.#specOf(id));
  }

  async assertInput(_: AuthoredRef, input: JsonValue): Promise<void> {
    if (input === INVALID_INPUT)
      throw new ReinsError({ code: 'request_invalid', message: 'input does not match', path: 'input' });
  }

  #specOf(id: string): RunSpec {
    const machine = this.#machine;
    const [entry = ''] = id.split('#');
    return {
      id,
      exportName: undefined,
      governance: undefined,
      runDir: undefined,
      graph: { root: '', entry, modules: {}, hash: this.#codeHash },
      limits: LIMITS,
      idleMs: IDLE_MS,
      slots: this.#slots,
      machine: {
        start: async (_, __, listener) => new SimulatedChild(machine, listener, authoredProcesses(this.#codeHash)),
        now: () => machine.monotonic(),
        after: (ms, action) => machine.after(ms, action),
      },
      console: () => undefined,
    };
  }

  /** Slots are free, except at random; an idle child may be evicted at any time. */
  readonly #slots: RunSpec['slots'] = {
    take: async (tenant) => {
      const { faults, random } = this.#machine;
      if (random.chance(faults.childLost))
        throw new ReinsError({ code: 'sandbox_busy', message: 'no sandbox slot is free' });
      this.#tenants.add(tenant);
    },
    release: (tenant) => void this.#tenants.delete(tenant),
    changed: () => {
      const { faults, random } = this.#machine;
      for (const tenant of this.#tenants)
        if (tenant.idleSince !== undefined && random.chance(faults.evicted)) void tenant.evict();
    },
  };
}
