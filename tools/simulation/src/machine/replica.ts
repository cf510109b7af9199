import type { Lease } from '@reins/bus';
import { OwnedPartition, type PartitionPorts } from '@reins/control-bus/core';
import type { Server } from '../server/server.ts';
import { PARTITIONS } from '../world/settings.ts';
import type { Sweeps } from './archiving.ts';
import { LeaseKeeper } from './lease-keeper.ts';
import type { Machine } from './machine.ts';
import { type PortsOptions, simulatedPorts } from './ports.ts';

/** A planted bug: changes the ports of every replica. */
export type Mutation = (
  ports: PartitionPorts,
  about: { readonly machine: Machine; readonly server: Server },
) => PartitionPorts;

export interface ReplicaOptions extends Pick<PortsOptions, 'inMemoryMsOf' | 'reconciles'> {
  readonly machine: Machine;
  readonly server: Server;
  readonly share: () => number;
  readonly isFaultFree: () => boolean;
  readonly sweeps: () => Sweeps;
  readonly mutation?: Mutation | undefined;
}

/** Stands in for the service of the control bus: leases and partitions on one machine. */
export class Replica {
  readonly #machine: Machine;
  readonly #partitions = new Map<number, OwnedPartition>();
  readonly #ports: PartitionPorts;
  readonly #leases: LeaseKeeper;

  constructor({ inMemoryMsOf, reconciles, isFaultFree, machine, mutation, server, share, sweeps }: ReplicaOptions) {
    this.#machine = machine;
    const made = simulatedPorts({
      machine,
      server,
      sweeps,
      inMemoryMsOf,
      reconciles,
      onInboxLost: (lease) => void this.#onInboxLost(lease),
    });
    this.#ports = mutation ? mutation(made, { machine, server }) : made;
    this.#leases = new LeaseKeeper(machine, server, {
      partitions: PARTITIONS,
      share,
      isFaultFree,
      won: async (lease) => {
        const partition = new OwnedPartition(this.#ports, lease);
        this.#partitions.set(lease.partition, partition);
        await partition.start(this.#leases);
      },
      handover: async ({ partition }) => {
        const released = this.#partitions.get(partition);
        await released?.stop();
        if (this.#partitions.get(partition) === released) this.#partitions.delete(partition);
      },
      lost: ({ partition }) => {
        this.#partitions.get(partition)?.drop();
        this.#partitions.delete(partition);
      },
    });
  }

  start(): void {
    this.#leases.start();
  }

  crash(where: string): boolean {
    return this.#machine.crash(where);
  }

  /** Number of runs in memory. */
  get runs(): number {
    return [...this.#partitions.values()].reduce((sum, { runs }) => sum + runs, 0);
  }

  /** Handles a lost inbox. With a lost lease, a newer owner has taken over; otherwise the process exits. */
  async #onInboxLost(lease: Lease): Promise<void> {
    const isHeld = await this.#leases.verify(lease).catch(() => true);
    if (isHeld) this.#machine.crash('because its inbox ended');
    else this.#leases.lose(lease, 'its inbox has another owner');
  }
}
