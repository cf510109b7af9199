import type { Blobs, BusLog, Controls, OrderedPublisher } from '@reins/bus';
import type { HarnessEnvironment, HarnessRegistry } from '@reins/harness';
import type { Policies } from '@reins/policy';
import type { ProviderSettings, Telemetry } from '@reins/service-kit';
import type { TreeStore } from '@reins/workspace-tree';
import type { ModelDoor } from '../doors/model/model-door.ts';
import type { MeasuredCall } from '../doors/model/usage/metered-call.ts';
import type { UsesWriters } from '../doors/model/uses-writer.ts';
import type { ExecutorPool } from '../executor/executor-pool.ts';
import type { HostNetwork } from '../executor/host-network.ts';
import type { HostSecrets } from '../secrets/host-secrets.ts';
import type { RequestPool } from '../services/request-pool.ts';
import type { ServicesHost } from '../services/services-host.ts';
import type { Slots } from '../slots/slots.ts';
import type { Answers } from './answers.ts';

/** The parts of the host that a stage run uses. */
export interface StagePorts {
  readonly hostId: string;
  readonly registry: HarnessRegistry;
  readonly pool: ExecutorPool;
  readonly services: ServicesHost;
  /** The servers and applications of requests that have more stages. */
  readonly requests: RequestPool;
  readonly modelDoor: ModelDoor;
  readonly network: HostNetwork;
  /** The policies of this installation. Absent: it has none. */
  readonly policies: Policies | undefined;
  readonly policyMode: 'enforce' | 'shadow';
  /** What requests use of their budgets. */
  readonly budgetUses: UsesWriters;
  readonly trees: TreeStore;
  readonly blobs: Blobs;
  readonly controls: Controls;
  readonly publisher: OrderedPublisher;
  readonly answers: Answers;
  readonly secrets: HostSecrets;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  readonly environmentOf: (runtimeId: string) => HarnessEnvironment;
  readonly log: BusLog;
  readonly slots: Slots;
  readonly telemetry: Telemetry;
  /** Receives every model call that has ended, for metrics. */
  readonly measureCall: (call: MeasuredCall) => void;
  /** The time of the NATS server. */
  readonly now: () => Date;
  /** Aborts when the host stops and the grace period has ended. */
  readonly shutdown: AbortSignal;
}
