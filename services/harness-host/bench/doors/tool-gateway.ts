/**
 * The tool gateway of a run in a process of its own, as in a host, and a bare server that answers with the same bytes.
 * Sends the addresses of both. The tool of the run does nothing, so only the gateway is measured.
 */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PackageCache, SharedServers, startRunServices, TodoList } from '@reins/tool-gateway';

const root = await mkdtemp(join(tmpdir(), 'reins-bench-'));
const ports = { path: process.env.PATH ?? '', newToken: () => 'bench' };
const services = await startRunServices(
  {
    ...{ mcp_servers: [], mcp_tool_refs: [], workspace_tools: null, applications: [], mappings: [] },
    ...{ gated_tools: [], granted_tools: [], required_servers: [], workspace_config_checksum: '' },
    caller: { workspaceId: 'ws', sessionId: 's', inputId: 'i' },
  },
  {
    ...ports,
    ...{ workDir: root, servicesDir: root, variable: () => undefined, ownTools: new TodoList().tools },
    packages: new PackageCache({ ...ports, dir: root, variables: {}, sandbox: undefined }),
    sharedServers: new SharedServers({
      ...ports,
      ...{ dir: async () => root, onProcess: () => undefined, onStopped: () => undefined },
    }),
  },
  AbortSignal.timeout(60_000),
);
const ANSWER = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '(no todos)' }] } });
const bare = createServer(async (request, response) => {
  for await (const _ of request);
  response.setHeader('content-type', 'application/json').end(ANSWER);
}).listen(0, '127.0.0.1');
await once(bare, 'listening');
const { url, token } = services.gateway ?? { url: '', token: '' };
process.send?.({ url, token, bareUrl: `http://127.0.0.1:${(bare.address() as AddressInfo).port}/mcp` });
process.once('disconnect', async () => {
  await rm(root, { recursive: true, force: true });
  process.exit();
});
