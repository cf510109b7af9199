import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { findNatsServer, freePort } from '@reins/embedded';

const ROOT = process.cwd();

/** A complete system, and a client of its HTTP API. */
export interface Reins {
  readonly client: Client;
  stop(): Promise<void>;
}

/** Starts the built `reins up` in a temporary folder, with every stage on `echo`. */
export async function startReins(settings: Readonly<Record<string, string>> = {}): Promise<Reins> {
  const dir = await mkdtemp(join(tmpdir(), 'reins-bench-'));
  await chmod(dir, 0o755); // As root, Postgres runs under another account, which needs access.
  const nats = await findNatsServer({ stateDir: join(ROOT, '.reins'), path: process.env.PATH ?? '' });
  const env = {
    ...process.env,
    ...(nats && { REINS_NATS_SERVER: nats.binary }),
    REINS_HTTP_PORT_BASE: String(await freePort()),
    REINS_RUNTIME_PROFILE_DEFAULT: 'echo',
    REINS_HOST_RUNTIMES: 'echo',
    REINS_LOG_LEVEL: 'warn',
    ...settings,
  };
  const child = spawn(process.execPath, [join(ROOT, 'tools/cli/dist/main.js'), '--state-dir', dir, 'up'], {
    cwd: dir,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const closed = once(child, 'close');
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await closed;
    await rm(dir, { recursive: true, force: true });
  };
  try {
    await waitUntilUp(child.stderr);
    const { url } = JSON.parse(await readFile(join(dir, 'run/gateway.json'), 'utf8')) as { url: string };
    return { client: new Client(url, (await readFile(join(dir, 'run/api-key'), 'utf8')).trim()), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function waitUntilUp(output: NodeJS.ReadableStream): Promise<void> {
  const lines: string[] = [];
  for await (const line of createInterface({ input: output })) {
    if (line.startsWith('up;')) return void output.resume();
    lines.push(line);
  }
  throw new Error(`the system did not start:\n${lines.join('\n')}`);
}

const WORKSPACE = {
  workspaceId: 'bench',
  files: [
    {
      path: 'workspace.yaml',
      content:
        'template_id: bench\nname: Bench\nagents: {id: bench.agent, model: none/none}\nmcp_registry: {servers: {}}\n',
    },
    { path: 'AGENTS.md', content: 'Answer briefly.\n' },
  ],
};

export class Client {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, apiKey: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${apiKey}` };
  }

  async upload(): Promise<void> {
    await this.#post('/api/v1/workspaces', WORKSPACE);
  }

  /** Submits a request and follows its stream to the terminal event. Calls `onPart` for every part of the stream. */
  async complete(input = '@echo answer Done.', onPart: (part: string) => void = () => {}): Promise<void> {
    const body = { workspace: { id: 'bench' }, input };
    const { eventsUrl } = (await this.#post('/api/v1/requests', body)) as { eventsUrl: string };
    const headers = { ...this.#headers, accept: 'text/event-stream' };
    const response = await fetch(`${this.#url}${eventsUrl}`, { headers });
    if (!response.ok || !response.body) throw new Error(`the stream responded with ${response.status}`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      onPart(part.value);
      seen += part.value;
      if (!seen.includes('event: runtime.request.')) continue;
      if (seen.includes('event: runtime.request.completed')) return void reader.cancel();
      if (/event: runtime\.request\.(failed|cancelled)/.test(seen)) throw new Error(seen.slice(-500));
    }
    throw new Error('the stream ended before the request');
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    const response = await fetch(`${this.#url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return response.json();
  }
}
