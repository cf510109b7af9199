import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { connectBus, formatChanges, provision } from '@reins/bus';
import { ReinsError } from '@reins/contracts';
import type { ManagedTopology } from '@reins/service-kit/installation';
import { type BusIdentity, STREAMS_ACCOUNT } from '@reins/service-kit/nats-users';

/** An embedded server, and who may change its streams. */
export interface NatsAdministration {
  readonly url: string;
  readonly operator: BusIdentity;
  readonly topology: ManagedTopology;
  readonly log: (line: string) => void;
}

/**
 * Creates and updates the streams, buckets and consumers of an embedded server, because services have no permission
 * for it. Call it after every start of the server.
 * @throws ReinsError `bus_topology_mismatch`, `bus_unavailable`
 */
export async function provisionNats({ url, operator, topology, log }: NatsAdministration): Promise<void> {
  const bus = await connectBus({ servers: url, name: 'supervisor', ...operator });
  try {
    const changes = await provision(bus, topology);
    if (changes.length > 0) log(`bus topology:\n${formatChanges(changes)}`);
  } finally {
    await bus.close();
  }
}

/**
 * Moves the streams of an installation that had no accounts into the account of the streams. Call it while the server
 * is stopped.
 * @param dir the folder of the server
 * @throws ReinsError `embedded_unavailable` when both accounts have streams
 */
export async function moveStreams(dir: string): Promise<void> {
  const [from, to] = ['$G', STREAMS_ACCOUNT].map((account) => join(dir, 'store', 'jetstream', account)) as [
    string,
    string,
  ];
  try {
    await rename(from, to);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return;
    const message = `the streams in ${from} cannot be moved to ${to}`;
    const hint = 'Keep the folder with the streams of this installation, and move the other one away.';
    throw new ReinsError({ code: 'embedded_unavailable', message, path: from, hint }, { cause });
  }
}
