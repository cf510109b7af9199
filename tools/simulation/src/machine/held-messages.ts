import { parkedKeyOf } from '@reins/contracts';
import type { PartitionPorts } from '@reins/control-bus/core';
import type { Server } from '../server/server.ts';
import type { Machine } from './machine.ts';
import { SimulatedQuarantine } from './quarantine.ts';

/** Stands in for `HeldMessages` of `@reins/bus` and the records of parked runs. */
export const simulatedHeld =
  (machine: Machine, server: Server): PartitionPorts['held'] =>
  (partition) => ({
    messages: {
      add: (run, { data, event, seq, subject }) =>
        machine.call(`hold ${subject}`, () => server.held.add(run, { data, event, seq, subject })),
      read: (run) => machine.call(`read held messages of ${run.runId}`, () => server.held.read(run)),
      remove: (messages) => machine.call('remove held messages', () => server.held.remove(messages)),
      runs: (of) => machine.call('list held runs', () => server.held.runs(of)),
      deadLetter: ({ event: { id }, subject }, problem) =>
        machine.call('dead-letter', () => void server.dead.push({ subject, id, ...problem })),
    },
    parked: {
      put: (of, record) => {
        const run = { runId: record.requestId, workspaceId: record.workspaceId };
        return machine.call('park', () => void server.parked.set(parkedKeyOf(of, run), record));
      },
      delete: (of, run) => machine.call('unpark', () => void server.parked.delete(parkedKeyOf(of, run))),
      list: (of) =>
        machine.call('list parked runs', () =>
          [...server.parked].filter(([key]) => key.startsWith(`parked.${of}.`)).map(([, record]) => record),
        ),
    },
    quarantine: new SimulatedQuarantine(machine, server, `held-p${partition}`),
  });
