import { parseReference } from '@reins/bus';
import type { Case } from '@reins/chaos/checks';
import { isObject, type JsonObject, type JsonValue, parseJson } from '@reins/contracts';
import type { Entry } from '@reins/journal';
import { allJournals } from '../server/read-journals.ts';
import type { DeadMessage, Server } from '../server/server.ts';
import type { Clients } from '../world/clients.ts';
import type { Crowd } from '../world/crowd.ts';
import type { Readers, ReadMismatch } from '../world/readers.ts';
import type { Workers } from '../world/workers.ts';

/** What the checks read when the simulation is quiescent: the evidence for the checks of `@reins/chaos`, and more. */
export interface SimulatedCase extends Case {
  readonly server: Server;
  readonly mismatches: readonly ReadMismatch[];
  readonly deadMessages: readonly DeadMessage[];
  /** What misbehaving and well-behaved clients sent at the same time. */
  readonly crowd: Pick<Crowd, 'probes' | 'floods' | 'hasCrashes'>;
  /** The requests of a burst that waited for busy hosts. */
  readonly burst: ReadonlySet<string>;
  /** Number of runs in the memory of any machine. */
  readonly inMemory: number;
  /** Whether the clocks of all machines are right. */
  readonly areClocksRight: boolean;
  /** Whether this seed archives runs. */
  readonly archives: boolean;
  /** Why the simulation did not become quiescent, if it did not. */
  readonly unsettled: string | undefined;
}

export function caseOf(
  server: Server,
  {
    clients: { submitted },
    crowd,
    busyHosts,
    readers: { mismatches },
  }: {
    readonly clients: Clients;
    readonly crowd: Crowd;
    readonly busyHosts: Pick<Workers['busyHosts'], 'requests'>;
    readonly readers: Readers;
  },
  known: Pick<SimulatedCase, 'areClocksRight' | 'archives' | 'inMemory' | 'unsettled'>,
): SimulatedCase {
  const events = server.events.messages.map(({ data, id, seq, storedAt, subject, version }) => {
    const reference = parseReference(data);
    const parsed = parseJson(reference ? server.getBlob(reference) : data);
    const body = isObject(parsed) ? (parsed as Record<string, never>) : undefined;
    const type = String(body?.type);
    return { seq, subject, storedAt, id, type, requestId: String(body?.requestId), version, body };
  });
  const journals = new Map(
    allJournals(server).map((journal) => [
      journal.run.runId,
      { ...journal, inlined: inlinedOf(server, journal.entries) },
    ]),
  );
  const accepted = [...submitted.values()].map(({ requestId, sessionId, workspaceId }) => ({
    requestId,
    workspaceId,
    sessionId,
    planned: { kind: '', workspace: 'plain' as const, input: '', endings: [], session: 1 },
    answeredWith: [requestId],
  }));
  const held = [...server.held.messages.values()].map(({ message }) => message);
  const inbox = [...server.inbox.waiting.values(), ...held].map(({ subject }) => subject);
  const projection = { differences: [], skippedRequests: 0 } as unknown as Case['evidence']['projection'];
  const evidence = { events, journals, durables: [], inbox, dead: [], seen: [], projection };
  return {
    accepted,
    refused: [],
    evidence,
    server,
    mismatches,
    deadMessages: server.dead,
    crowd,
    burst: busyHosts.requests,
    ...known,
  };
}

/** By hash: the entries that reference blobs, with the blobs inlined. Facts contain the inlined values. */
function inlinedOf(server: Server, entries: readonly Entry[]): Map<string, Entry> {
  const inlined = entries.map((entry): Entry => {
    if (entry.type === 'EFFECT_REQUESTED' && entry.data.requestRef)
      return {
        ...entry,
        data: { ...entry.data, request: parseJson(server.getBlob(entry.data.requestRef)) as JsonObject },
      };
    if (entry.type === 'EFFECT_RESOLVED' && entry.data.valueRef)
      return { ...entry, data: { ...entry.data, value: parseJson(server.getBlob(entry.data.valueRef)) as JsonValue } };
    return entry;
  });
  return new Map(inlined.filter((entry, index) => entry !== entries[index]).map((entry) => [entry.hash, entry]));
}
