import { join } from 'node:path';
import type { BusLog } from '@reins/bus';
import { mcpServerPayloads, type PrepareStageInput, prepareMcp } from '@reins/runtime-config';
import type { Environment, Settings } from '@reins/service-kit';
import { identityOf } from '@reins/service-kit/folders';
import type { StartedServer } from '@reins/tool-gateway';
import { materialise, type Tree } from '@reins/workspace-tree';
import { executorSandbox, serviceSandbox } from '../executor/executor-sandbox.ts';
import { HostNetwork } from '../executor/host-network.ts';
import { networkModes } from '../executor/network-mode.ts';
import { makeRunFolder } from '../executor/run-folder.ts';
import { HostSecrets } from '../secrets/host-secrets.ts';
import { Redactor } from '../secrets/redactor.ts';
import { ServicesHost } from './services-host.ts';
import { servicesStartTimeout } from './stage-services.ts';

/** What each server and application offered, or why it did not start. */
export type ProbedServices = readonly StartedServer[];

export interface ProbeInput {
  readonly plan: PrepareStageInput['plan'];
  /** The files of the workspace. */
  readonly tree: Tree;
  readonly settings: Pick<Settings, 'host' | 'providers' | 'nats' | 'limits'>;
  readonly environment: Environment;
  readonly log: BusLog;
  /** Called with what the start waits for. */
  readonly onStep: (label: string) => void;
}

/**
 * Starts the servers and applications of a workspace as a stage on this machine would, and stops them: with the same
 * sandbox, environment, packages and time limits.
 * @throws ReinsError `mcp_environment_missing`, `mcp_placeholder_invalid`, `harness_timeout_startup`; the reason of the
 *   signal. All processes were stopped then
 */
export async function probeServices(input: ProbeInput, signal: AbortSignal): Promise<ProbedServices> {
  const { tree, settings, environment, log, onStep } = input;
  const secrets = new HostSecrets(settings, environment);
  const { nats, providers } = settings;
  const rule = { sandbox: settings.host.sandbox, usersDir: nats.usersDir, providers };
  const sandbox = await executorSandbox(rule, environment, log);
  const modes = await networkModes(settings.host, sandbox, log);
  const network = await HostNetwork.start({ modes, allow: settings.host.allow, log });
  const host = new ServicesHost({
    ...{
      owner: await identityOf(process.pid),
      path: environment.PATH ?? '',
      secrets,
      environment,
      setups: settings.host,
    },
    ...{ sandbox: serviceSandbox(sandbox, network.helperNetwork), connect: network.connectRemote },
    openNetwork: (user) => network.openServices(user),
  });
  const folder = await makeRunFolder();
  const own = await host.openNetwork('services of a request');
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(servicesStartTimeout()), settings.limits.stagePrepareForMs);
  try {
    await materialise(tree, folder.workDir);
    const stop = AbortSignal.any([signal, timeout.signal]);
    const { sandboxWith, startRunServices } = await import('@reins/tool-gateway');
    const setups = await host.setups;
    const context = {
      ...(setups && { setups }),
      ...{ workDir: folder.workDir, servicesDir: join(folder.root, 'services'), path: host.path },
      ...{
        sandbox: sandboxWith(host.sandbox, own),
        connect: host.connect,
        newToken: () => host.newToken(),
        packages: await host.packages,
        onStep,
      },
      sharedServers: await host.sharedServers,
      variable: (name: string) => host.variable(name),
    };
    const services = await startRunServices(requestOf(input, secrets), context, stop);
    await services.close();
    return redacted(services.started, secrets);
  } finally {
    clearTimeout(timer);
    await Promise.all([host.close(), folder.remove()]);
    own?.close();
    await network.close();
  }
}

/** The services of a plan, with the values of placeholders. */
function requestOf({ plan, settings }: ProbeInput, secrets: HostSecrets) {
  const { workspace_id: workspaceId, resolved_applications: applications, config_checksum } = plan;
  const ids = { workspaceId, sessionId: 'probe', requestId: 'probe' };
  const environmentNames = new Set(settings.host.secrets);
  const installation = { sandboxId: 'probe', environmentNames, providers: { providers: [] } };
  const prepared = prepareMcp({ plan, request: ids, installation });
  return {
    mcp_servers: mcpServerPayloads(plan, prepared.idMap, secrets.environment),
    mcp_tool_refs: prepared.refs,
    workspace_tools: prepared.workspaceTools,
    ...{ applications, gated_tools: [], granted_tools: [], required_servers: [] },
    caller: { workspaceId, sessionId: 'probe', inputId: 'probe' },
    mappings: prepared.mappings,
    workspace_config_checksum: config_checksum,
  };
}

function redacted(started: ProbedServices, secrets: HostSecrets): ProbedServices {
  const redactor = new Redactor(secrets.values);
  return started.map((server) => {
    const { problem } = server;
    return problem ? { ...server, problem: { ...problem, message: redactor.text(problem.message) } } : server;
  });
}
