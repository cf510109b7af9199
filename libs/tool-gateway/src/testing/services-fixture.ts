import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { listRunProcesses, type ProcessSandbox } from '@reins/harness';
import { probe } from '@reins/os-sandbox';
import type { McpServerPayload } from '@reins/runtime-config';
import { tempDir } from '@reins/testing';
import {
  type OpenNetwork,
  PackageCache,
  type RunServices,
  type ServicesContext,
  type ServicesRequest,
  SharedServers,
  startRunServices,
} from '../index.ts';

const FIXTURE = fileURLToPath(import.meta.resolve('./fixture-server.ts'));
const running: RunServices[] = [];
const shared: SharedServers[] = [];
const tokens: string[] = [];

/** Stops everything that tests started. Returns the processes that are still alive. */
export async function endAll(): Promise<readonly unknown[]> {
  await Promise.all([...running.splice(0), ...shared.splice(0)].map((services) => services.close()));
  return (await listRunProcesses()).filter(({ token }) => tokens.includes(token));
}

/** The processes of the running services. */
export const processes = async () => (await listRunProcesses()).filter(({ token }) => tokens.includes(token));

/** The best sandbox of this machine, as with `host.sandbox: preferred`. Undefined: it has none. */
export const SANDBOX = await preferredSandbox();

async function preferredSandbox(): Promise<ProcessSandbox | undefined> {
  const isolation = await probe();
  const hidden = ['/tmp', '/var/tmp', '/home', '/root', '/run', tmpdir()];
  return isolation.backend === 'none' ? undefined : { rule: 'preferred', isolation, hidden };
}

export async function newContext(variable: ServicesContext['variable'] = () => undefined): Promise<ServicesContext> {
  const root = await tempDir('services');
  await mkdir(join(root, 'work'));
  const newToken = (): string => {
    tokens.push(`test-${randomBytes(8).toString('hex')}`);
    return tokens.at(-1) ?? '';
  };
  const path = process.env.PATH ?? '';
  const folders = { workDir: join(root, 'work'), servicesDir: join(root, 'services') };
  const packages = new PackageCache({ dir: join(root, 'packages'), path, variables: {}, sandbox: SANDBOX, newToken });
  const sharedServers = new SharedServers({
    ...{ dir: async () => root, path, sandbox: SANDBOX, newToken },
    ...{ onProcess: () => undefined, onStopped: () => undefined },
  });
  shared.push(sharedServers);
  return { ...folders, path, sandbox: SANDBOX, newToken, packages, variable, sharedServers };
}

/** Networks that differ in their variable `CANARY`, and what has become of them. */
export function recordedNetworks() {
  const opened: string[] = [];
  const closed: string[] = [];
  const openNetwork: OpenNetwork = async (user) => {
    const name = `network-${opened.push(user)}`;
    return { network: { doors: [], variables: { CANARY: name } }, close: () => void closed.push(name) };
  };
  return { opened, closed, openNetwork };
}

export async function start(
  request: Partial<ServicesRequest>,
  context?: ServicesContext,
  signal = AbortSignal.timeout(100_000),
): Promise<RunServices> {
  const emptyRequest = {
    mcp_servers: [],
    mcp_tool_refs: [],
    workspace_tools: null,
    applications: [],
    gated_tools: [],
    granted_tools: [],
    required_servers: [],
    workspace_config_checksum: 'revision',
  };
  const caller = { workspaceId: 'ws1', sessionId: 's1', inputId: 'r1' };
  const services = await startRunServices(
    { ...emptyRequest, mappings: [], caller, ...request },
    context ?? (await newContext()),
    signal,
  );
  running.push(services);
  return services;
}

export const local = (
  name: string,
  mode = 'well',
  overrides: Partial<McpServerPayload['config']> = {},
): McpServerPayload => ({
  name,
  config: {
    ...{ type: 'local', enabled: true, command: [process.execPath, FIXTURE, mode], environment: {}, timeout: 30_000 },
    ...overrides,
  } as McpServerPayload['config'],
});

/** A local server that starts only together with another one. Each writes a file to the working directory. */
export function pairedServer(name: string, other: string): McpServerPayload {
  const { config } = local(name);
  const command = config.type === 'local' ? config.command : [];
  return local(name, 'well', {
    command: ['/bin/sh', '-c', `${waitForPair(name, other, '.')}; exec "$0" "$@"`, ...command],
  });
}

/** A shell command that exits once both have started it. */
export const waitForPair = (name: string, other: string, folder: string): string =>
  `: > ${folder}/${name}.up; until [ -e ${folder}/${other}.up ]; do sleep 0.05; done`;

export const ref = (server: string, tool: string) => ({
  tool_id: `${server}.${tool}`,
  server_id: server,
  tool_name: tool,
});

/** Connects a client to the gateway, as an executor does. */
export async function clientOf({ gateway }: RunServices, token = gateway?.token): Promise<Client> {
  const client = new Client({ name: 'executor', version: '1' });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(gateway?.url ?? ''), { requestInit: { headers } }));
  return client;
}

export async function call(services: RunServices, name: string, args: Record<string, unknown> = {}) {
  const client = await clientOf(services);
  try {
    const { content, isError } = await client.callTool({ name, arguments: args });
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', isError: isError === true };
  } finally {
    await client.close();
  }
}
