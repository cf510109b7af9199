import { join } from 'node:path';
import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import type { HarnessRun } from '../../contract.ts';
import { codexConfig } from './config.ts';
import { modelCatalogue } from './model.ts';
import { tomlDocument } from './toml.ts';

/** A run with everything that the configuration can have. Nothing is called. */
const RUN = {
  providerId: 'probe',
  modelId: 'probe',
  systemPrompt: 'probe',
  thinkingValue: null,
  endpoint: { api: 'openai-responses', baseUrl: 'http://127.0.0.1:9/v1', apiKey: '', headers: { 'x-probe': '' } },
  mcpServers: [{ serverId: 'probe', url: 'http://127.0.0.1:9/mcp', headers: { authorization: '' }, tools: [] }],
  deadlines: { totalMs: 1000, startupMs: 1000, idleMs: 1000, noProgressMs: 1000 },
  environment: { settings: {}, path: '', providers: {} },
} as unknown as HarnessRun;

/** The configuration of a probe by file name: every field of a run, with the server of tools disabled. */
export function probeFiles(homeDir: string): Readonly<Record<string, string>> {
  const config = codexConfig(RUN, join(homeDir, 'codex', 'models.json'));
  const servers = Object.entries(isObject(config.mcp_servers) ? config.mcp_servers : {});
  const disabled = servers.map(([name, server]): [string, JsonValue] => [
    name,
    { ...(server as JsonObject), enabled: false },
  ]);
  return {
    'models.json': JSON.stringify(modelCatalogue(RUN)),
    'config.toml': tomlDocument({ ...config, mcp_servers: Object.fromEntries(disabled) }),
  };
}
