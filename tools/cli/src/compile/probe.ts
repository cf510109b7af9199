import { silentLog } from '@reins/bus';
import { type ProbedServices, probeServices } from '@reins/harness-host/probe';
import type { CompiledWorkspaceRuntimePlan, ProbedServer } from '@reins/workspace-plan';
import { capture } from '@reins/workspace-tree';
import { installationSettings } from '../bus/with-bus.ts';
import type { CliContext } from '../context.ts';
import { interrupted } from '../interrupted.ts';
import { durationText } from '../output/run-lines.ts';
import { Silence } from '../run/silence.ts';
import { IGNORED } from '../run/submit.ts';

/** What one server offered, for people and programs. */
export interface ServerReport {
  readonly server: string;
  readonly tools: readonly string[];
  /** The tools that runs cannot use, because the allowlist names others of the server. */
  readonly unlisted: readonly string[];
  /** Why it did not start. */
  readonly problem?: ProbedServices[number]['problem'];
}

/** The servers of a workspace, as they were when they were started. */
export interface Probe {
  readonly servers: readonly ServerReport[];
  /** What the compiler compares with the workspace. */
  readonly probed: readonly ProbedServer[];
}

/**
 * Starts the servers and applications of a workspace as a stage on this machine would, and stops them.
 * @throws ReinsError of `probeServices`
 */
export async function probe(
  context: CliContext,
  dir: string,
  plan: CompiledWorkspaceRuntimePlan,
  signal: AbortSignal = interrupted(),
): Promise<Probe> {
  const started = await startedServices(context, dir, plan, signal);
  return { servers: started.map((server) => reportOf(server, plan)), probed: started.map(probedServer) };
}

async function startedServices(
  context: CliContext,
  dir: string,
  plan: CompiledWorkspaceRuntimePlan,
  signal: AbortSignal,
): Promise<ProbedServices> {
  const tree = await capture(dir, { refused: 'leave-out', ignore: IGNORED });
  let step = { label: 'starting the servers', since: Date.now() };
  const silence = new Silence(() => context.note(`… ${step.label} (${durationText(Date.now() - step.since)})`));
  const onStep = (label: string): void => {
    step = { label, since: Date.now() };
  };
  const { env: environment } = context;
  try {
    const settings = installationSettings(context);
    return await probeServices({ plan, tree, settings, environment, log: silentLog, onStep }, signal);
  } finally {
    silence.end();
  }
}

const probedServer = ({ serverId, toolNames, failedTools, problem }: ProbedServices[number]): ProbedServer => ({
  server_id: serverId,
  tools: toolNames,
  failed_tools: failedTools.map(({ toolId, reason }) => ({ tool_id: toolId, reason })),
  ...(problem && { problem }),
});

function reportOf(
  { serverId: server, toolNames: tools, problem }: ProbedServices[number],
  plan: CompiledWorkspaceRuntimePlan,
): ServerReport {
  const listed = plan.resolved_mcp_tool_refs.filter((ref) => ref.server_id === server).map((ref) => ref.tool_name);
  const unlisted = listed.length === 0 ? [] : tools.filter((name) => !listed.includes(name));
  return { server, tools, unlisted, ...(problem && { problem }) };
}

/** One line about a server, for people. */
export function serverLine({ server, tools, unlisted, problem }: ServerReport): string {
  if (problem) return `${server}: does not start`;
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  if (unlisted.length > 0) return `${server}: ${count}; not in the allowlist: ${unlisted.join(', ')}`;
  return `${server}: ${count}${tools.length > 0 ? ` (${tools.join(', ')})` : ''}`;
}
