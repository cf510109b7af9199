import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { Bus, BusLog } from '@reins/bus';
import { type Problem, ReinsError } from '@reins/contracts';
import {
  adapterSettingsProblems,
  BUILT_IN_ADAPTERS,
  createRegistry,
  type HarnessEnvironment,
  type HarnessRegistry,
  offeredRuntimes,
  permittedRuntimes,
  profileRuntimes,
  unknownRuntime,
} from '@reins/harness';
import { harnessEnvironments } from '@reins/harness/environment';
import type { Environment, Settings } from '@reins/service-kit';
import { identityOf } from '@reins/service-kit/folders';
import { HarnessWatch } from '@reins/service-kit/harnesses';
import type { Telemetry } from '@reins/service-kit/telemetry';
import { ModelDoor } from './doors/model/model-door.ts';
import { ProviderPauses } from './doors/model/provider-pauses.ts';
import type { CallLimits } from './doors/model/provider-queue.ts';
import { modelHosts, sharedLimits } from './doors/model/share-of-limit.ts';
import { ExecutorPool } from './executor/executor-pool.ts';
import { canSuspend, executorSandbox, serviceSandbox } from './executor/executor-sandbox.ts';
import { CLOSED, HostNetwork } from './executor/host-network.ts';
import { MemoryGuard } from './executor/memory-guard.ts';
import { networkModes } from './executor/network-mode.ts';
import { removeOrphans } from './executor/run-folder.ts';
import { newRunToken, sweepOrphans } from './executor/run-token.ts';
import { installationPolicies } from './policy/installation-policy.ts';
import { HostSecrets } from './secrets/host-secrets.ts';
import { watchRequestEnd } from './services/request-end.ts';
import { RequestPool } from './services/request-pool.ts';
import { RequestServices } from './services/request-services.ts';
import { ServicesHost } from './services/services-host.ts';
import { Slots } from './slots/slots.ts';
import type { StagePorts } from './stage/stage-ports.ts';

export interface HostOptions {
  readonly bus: Bus;
  readonly settings: Pick<Settings, 'host' | 'harness' | 'providers' | 'model' | 'policy'> & {
    readonly runtimeProfile: Partial<Settings['runtimeProfile']>;
    readonly nats?: Pick<Settings['nats'], 'usersDir'>;
  };
  readonly environment: Environment;
  readonly log: BusLog;
  readonly telemetry?: Telemetry;
  /** Receives every model call that has ended. */
  readonly measureCall?: StagePorts['measureCall'];
  /** Called for a problem that only a restart of the process can fix. */
  readonly shutDownWithError: (problem: Problem) => void;
}

const HEAP_MB = 512;
/** The slots of a runtime that runs in the host's process. They need few resources. */
const IN_PROCESS_SLOTS = 64;
const RUN_BYTES = 2 * 1024 ** 3;

/** What a host is, before it opens anything: its id, its runtimes, and what confines its executors. */
export type HostIdentity = Awaited<ReturnType<typeof identifyHost>>;

/** @throws ReinsError of the sandbox, when the settings require one that this machine does not have */
export async function identifyHost({ settings, environment, log }: HostOptions, registry: HarnessRegistry) {
  const { usersDir } = settings.nats ?? {};
  const { host, providers } = settings;
  const sandbox = await executorSandbox({ sandbox: host.sandbox, usersDir, providers }, environment, log);
  return {
    id: settings.host.id ?? defaultId(),
    registry,
    secrets: new HostSecrets(settings, environment),
    path: environment.PATH ?? '',
    owner: await identityOf(process.pid),
    sandbox,
    modes: await networkModes(settings.host, sandbox, log),
    policies: await installationPolicies(settings.policy),
  };
}

/** Ends the processes and removes the folders of hosts that were killed. The folders are removed in the background. */
export async function removeLeftovers(log: BusLog): Promise<void> {
  const killed = await sweepOrphans();
  if (killed.length > 0) log.warn({ killed }, 'orphaned processes killed');
  // The files of a stage may be large.
  void removeOrphans().then((removed) => {
    if (removed.length > 0) log.info({ folders: removed.length }, 'orphaned run folders removed');
  });
}

/** The model door, and the network through which executors and servers connect. */
export type HostDoors = Awaited<ReturnType<typeof openDoors>>;

/** Starts the model door and the network. `close` ends both. */
export async function openDoors({ bus, settings, log }: HostOptions, { id, modes }: HostIdentity) {
  const harnesses = await HarnessWatch.start(bus);
  const limitsOf = (provider: string): CallLimits => {
    const limits = (Object.hasOwn(settings.providers, provider) && settings.providers[provider]) || {};
    return sharedLimits(limits, () => modelHosts(harnesses.offers, id), id);
  };
  const modelDoor = await ModelDoor.start(limitsOf, (pause) => pauses.publish(pause));
  const pauses = ProviderPauses.open(bus, id, (pause) => modelDoor.pause(pause));
  const network = await HostNetwork.start({ modes, allow: settings.host.allow, modelDoor, log });
  const close = async (): Promise<void> => {
    await Promise.all([modelDoor.close(), network.close()]);
    pauses.close();
    harnesses.stop();
  };
  return { modelDoor, network, close };
}

/** The environment in which the executor of a runtime starts. */
export function environmentsOf(
  { settings }: HostOptions,
  { owner, path, secrets, sandbox, modes }: HostIdentity,
): (runtimeId: string) => HarnessEnvironment {
  return harnessEnvironments(settings, {
    keyOf: secrets.keyOf,
    variable: secrets.modelEnvironment,
    path,
    newProbeToken: () => newRunToken(owner),
    harnessesDir: resolve(settings.host.harnessesDir),
    sandbox: sandbox && modes.executors !== 'open' ? { ...sandbox, network: CLOSED } : sandbox,
  });
}

/** The processes of a host: executors, and the servers and applications of requests. */
export type HostProcesses = Awaited<ReturnType<typeof openProcesses>>;

/** Creates the pools of the processes. `close` ends all processes. */
export async function openProcesses(
  { bus, settings, environment }: HostOptions,
  { owner, path, secrets, sandbox, registry }: HostIdentity,
  { network }: HostDoors,
) {
  const { runtimes, warm } = settings.host;
  const services = new ServicesHost({
    ...{ owner, path, secrets, environment },
    sandbox: serviceSandbox(sandbox, network.helperNetwork),
    ...{ openNetwork: (user: string) => network.openServices(user), connect: network.connectRemote },
    setups: settings.host,
  });
  const needsProcess = runtimes.some((runtimeId) => !registry.get(runtimeId).inProcessWork);
  const pool = new ExecutorPool({ warm: needsProcess ? warm : 0, owner, path, heapMb: HEAP_MB });
  const requests = new RequestPool({
    create: () => RequestServices.create(services),
    canKeep: canSuspend(services.sandbox),
    watchEnd: (request, ended) => watchRequestEnd(bus, request, ended),
  });
  const guard = new MemoryGuard(() => [...pool.used, ...services.processes], { maxBytes: RUN_BYTES });
  const close = async (): Promise<void> => {
    guard.stop();
    await Promise.all([pool.close(), requests.close(), services.close()]);
  };
  return { services, pool, requests, close };
}

/** The slots of each runtime. */
export function slotsOf({ settings }: HostOptions, { registry }: HostIdentity): Slots {
  const { runtimes, slots: count } = settings.host;
  const slots = new Slots(count);
  for (const runtimeId of runtimes)
    slots.add(runtimeId, registry.get(runtimeId).inProcessWork && Math.max(IN_PROCESS_SLOTS, count));
  return slots;
}

/**
 * The adapters of this installation.
 * @throws ReinsError `harness_unknown` and `settings_invalid`, one problem for each setting that does not fit them
 */
export function checkedRegistry(settings: HostOptions['settings']): HarnessRegistry {
  const registry = createRegistry(BUILT_IN_ADAPTERS);
  const named = [...offeredRuntimes(settings), ...profileRuntimes(settings), ...permittedRuntimes(settings)];
  const unknown = named.filter(({ runtimeId }) => !registry.has(runtimeId));
  const problems = [
    ...unknown.map((item) => unknownRuntime(item, registry.runtimeIds)),
    ...adapterSettingsProblems(registry, settings.harness),
  ];
  if (problems.length > 0) throw new ReinsError(problems);
  return registry;
}

/** The default host id, a token from the machine name and the process id. */
function defaultId(): string {
  return `${hostname()
    .replaceAll(/[^A-Za-z0-9_-]/g, '-')
    .slice(0, 40)}-${process.pid}`;
}
