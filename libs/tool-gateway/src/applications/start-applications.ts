import { mkdir } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { mapParallel } from '@reins/contracts';
import { type AppCaller, appMcpServerPayload, type McpServerPayload } from '@reins/runtime-config';
import type { ProcessContext } from '../client/server-spec.ts';
import { waitForAll } from '../concurrency.ts';
import { reasonOf } from '../errors/reason-of.ts';
import { copyOfRun } from '../files/run-copy.ts';
import type { KeptServices } from '../kept/kept-services.ts';
import {
  Application,
  type ApplicationContext,
  type ApplicationPorts,
  type ApplicationSpec,
  makeHome,
} from './application.ts';
import { freePorts } from './ports.ts';

const CONCURRENCY = 4;

/** The applications of a run, and what they need to start. */
export interface ApplicationsRequest {
  readonly applications: readonly ApplicationSpec[];
  readonly caller: AppCaller;
  readonly variable: (name: string) => string | undefined;
  /** The stage workspace. Applications run in a copy, so that the files they write are not part of the run's result. */
  readonly workDir: string;
  readonly processContext: ProcessContext;
  /** What runs already, and receives what is started. */
  readonly kept: KeptServices;
  readonly setups?: ApplicationContext['setups'];
  /** Called with the id of each application that is started. */
  readonly onStep: (appId: string) => void;
}

/** A running application, or the reason why it did not start. */
export type StartedApplication =
  | { readonly appId: string; readonly server: McpServerPayload; readonly socket: string | undefined }
  | { readonly appId: string; readonly reason: string };

/** Starts the applications of a run that do not run yet, concurrently. A failure does not affect the others. */
export async function startApplications(
  request: ApplicationsRequest,
  signal: AbortSignal,
): Promise<readonly StartedApplication[]> {
  const { applications, caller, kept, onStep } = request;
  const running = await Promise.all(applications.map((spec) => kept.application(spec)));
  const stopped = applications.filter((_, index) => !running[index]);
  for (const { app_id } of stopped) onStep(app_id);
  const started = await startAll(stopped, request, signal);
  return applications.map((spec, index) => {
    const app = running[index];
    if (app) return startedApp(spec, app, caller);
    return started[stopped.indexOf(spec)] as StartedApplication;
  });
}

async function startAll(
  applications: readonly ApplicationSpec[],
  request: ApplicationsRequest,
  signal: AbortSignal,
): Promise<readonly StartedApplication[]> {
  if (applications.length === 0) return [];
  const copyDir = request.kept.nextCopyDir();
  const ports = await prepare(copyDir, applications.length, request, signal).catch(reasonOf);
  signal.throwIfAborted();
  if (typeof ports === 'string') return applications.map(({ app_id: appId }) => ({ appId, reason: ports }));
  return mapParallel(applications, CONCURRENCY, (spec, index) => {
    const appPorts = { http: ports[index * 2] ?? 0, mcp: ports[index * 2 + 1] ?? 0 };
    return startOne(spec, { ports: appPorts, copyDir }, request, signal);
  });
}

/** Makes the copy of the tree and the home. Returns two ports for each application. */
async function prepare(
  copyDir: string,
  count: number,
  { workDir, processContext }: ApplicationsRequest,
  signal: AbortSignal,
): Promise<readonly number[]> {
  await mkdir(copyDir, { recursive: true });
  const copy = { from: workDir, to: copyDir, readable: [workDir], writable: [copyDir] };
  const [ports] = await waitForAll([
    freePorts(count * 2),
    copyOfRun(copy, processContext, signal),
    makeHome(processContext.homeDir),
  ]);
  return ports;
}

async function startOne(
  spec: ApplicationSpec,
  { ports, copyDir }: { readonly ports: ApplicationPorts; readonly copyDir: string },
  { caller, variable, workDir, processContext, kept, setups }: ApplicationsRequest,
  signal: AbortSignal,
): Promise<StartedApplication> {
  const appId = spec.app_id;
  const cwd = resolve(copyDir, spec.base_dir);
  if (relative(copyDir, cwd).startsWith('..')) return { appId, reason: 'its folder is outside the workspace' };
  const variables = {
    REINS_WORKSPACE_DIR: workDir,
    REINS_WORKSPACE_ID: caller.workspaceId,
    HOLABOSS_WORKSPACE_ID: caller.workspaceId,
    REINS_SESSION_ID: caller.sessionId,
    REINS_REQUEST_ID: caller.inputId,
  };
  const trees = [...processContext.trees, copyDir];
  const app = new Application(spec, {
    processContext: { ...processContext, cwd, trees },
    ...{ copyDir, ports },
    // Next to the copy: applications do not see this folder.
    sockets: { http: `${copyDir}.${ports.http}.sock`, mcp: `${copyDir}.${ports.mcp}.sock` },
    caller: variables,
    variable,
    setups,
  });
  kept.keepApplication(spec, app);
  try {
    await app.start(signal);
    return startedApp(spec, app, caller);
  } catch (error) {
    await app.stop();
    signal.throwIfAborted();
    return { appId, reason: reasonOf(error) };
  }
}

const startedApp = (spec: ApplicationSpec, app: Application, caller: AppCaller): StartedApplication => ({
  appId: spec.app_id,
  server: appMcpServerPayload(spec, app.mcpPort, caller),
  socket: app.mcpSocket,
});
