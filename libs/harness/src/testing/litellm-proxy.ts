import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tempDir } from '@reins/testing';
import { readinessUrl } from '../adapters/litellm/proxy.ts';

const READY_MS = 180_000;
const KEY = 'sk-proxy';

/** A real LiteLLM proxy whose models are the scenarios of a scripted model. */
export interface TestProxy {
  /** The base URL of the proxy for the model with this name, whatever the call says. */
  modelUrl(name: string): string;
  readonly key: string;
  close(): Promise<void>;
}

/** Starts the proxy, with one model for each scenario. */
export async function startLitellm(
  command: string,
  scenarios: readonly string[],
  scripted: string,
): Promise<TestProxy> {
  const home = await tempDir('litellm');
  const models = scenarios.map((name) => ({
    model_name: name,
    litellm_params: {
      model: 'openai/scripted-model',
      api_base: `${scripted}/s/${name}/v1`,
      api_key: 'os.environ/UPSTREAM_KEY',
      allowed_openai_params: ['reasoning_effort'],
    },
  }));
  const config = {
    model_list: models,
    litellm_settings: { telemetry: false, num_retries: 0, drop_params: true },
    router_settings: { num_retries: 0, disable_cooldowns: true },
  };
  const file = join(home, 'config.yaml');
  await writeFile(file, JSON.stringify(config));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const args = ['--config', file, '--host', '127.0.0.1', '--port', String(port), '--telemetry', 'False'];
  const child = spawn(command, args, {
    env: {
      ...{ PATH: process.env.PATH, HOME: home, LITELLM_MASTER_KEY: KEY, UPSTREAM_KEY: 'sk-test' },
      ...{ LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_TELEMETRY: 'False', DISABLE_ADMIN_UI: 'True' },
    },
    stdio: 'ignore',
  });
  await untilReady(readinessUrl(`${url}/v1`), child);
  return {
    modelUrl: (name) => `${url}/engines/${name}`,
    key: KEY,
    close: async () => {
      const exited = once(child, 'exit');
      // It would wait for calls that hang.
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_MS;
  while (performance.now() < deadline && child.exitCode === null) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await sleep(200);
  }
  child.kill('SIGKILL');
  throw new Error('the LiteLLM proxy did not become ready');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
