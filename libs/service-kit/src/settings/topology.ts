import type { TopologyManagement, TopologySettings } from '@reins/bus';
import { STAGES } from '@reins/contracts';
import type { Settings } from './settings.ts';
import { runtimesOfStage } from './stage-settings.ts';

/** The streams, buckets and consumers of an installation, and who creates them. */
export interface ManagedTopology extends TopologySettings {
  readonly managed: TopologyManagement;
}

/** The topology that the settings ask for. A supervisor creates it like a service that manages it itself. */
export function topologyOf(settings: Settings): ManagedTopology {
  const { eventsMaxAgeDays, managed, partitions, replicas } = settings.nats;
  const declared = { eventsMaxAgeDays, partitions, replicas, runtimeIds: runtimeIdsOf(settings) };
  return { ...declared, managed: managed === 'external' ? 'external' : 'self' };
}

/** The ids of all runtimes in the settings. Each has its own durable. */
export function runtimeIdsOf({ host, runtimeProfile }: Settings): string[] {
  return [
    ...new Set([
      ...host.runtimes,
      runtimeProfile.default,
      ...STAGES.flatMap((stage) => {
        const runtimeId = runtimeProfile.stages[stage];
        return runtimeId === undefined ? [] : runtimesOfStage(runtimeId, runtimeProfile.stageSettings?.[stage]);
      }),
      ...runtimeProfile.workspaceMayUse,
    ]),
  ].sort();
}
