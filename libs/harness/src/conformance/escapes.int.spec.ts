import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { access, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type ListenOptions, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { networkLimit } from '@reins/os-sandbox';
import { startScriptedModel } from '@reins/scripted-model';
import { tempDir } from '@reins/testing';
import { codexAdapter } from '../adapters/codex/adapter.ts';
import { echoAdapter } from '../adapters/echo/adapter.ts';
import { openaiChatAdapter } from '../adapters/openai_chat/adapter.ts';
import { piAdapter } from '../adapters/pi/adapter.ts';
import type { HarnessAdapter } from '../contract.ts';
import type { ProcessSandbox } from '../process/process-sandbox.ts';
import { sandboxes } from '../testing/sandboxes.ts';
import { drive, type RunChanges } from './driver.ts';
import {
  type EscapeAttempt,
  type EscapeTargets,
  fileAttempts,
  patchAttempts,
  shellAttempts,
} from './escape-attempts.ts';
import { installedCodex } from './installed-harnesses.ts';
import { type NetworkTargets, networkAttempts, networkPathAttempts } from './network-attempts.ts';

const TEST_MS = 300_000;
/** Random, so that no file of the machine contains it. */
const SECRET = `ESCAPED-${randomUUID()}`;
const LINK = 'link';
let victim: ChildProcess;
let targets: EscapeTargets;

beforeAll(async () => {
  victim = spawn('sleep', ['600'], { env: { ...process.env, SECRET } });
  await once(victim, 'spawn');
  targets = { other: await tempDir('other-run'), link: LINK, pid: victim.pid ?? 0 };
  await writeFile(join(targets.other, 'secret.txt'), SECRET, { mode: 0o600 });
});
afterAll(() => {
  victim.kill('SIGKILL');
});

/** Everything that an attempt could have changed. */
async function stateOfTargets() {
  const secret = join(targets.other, 'secret.txt');
  const [, , , ...fields] = (await readFile(`/proc/${targets.pid}/stat`, 'utf8')).split(' ');
  const exists = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  return {
    files: await readdir(targets.other),
    content: await readFile(secret, 'utf8'),
    mode: (await stat(secret)).mode & 0o777,
    isAlive: victim.exitCode === null && fields.length > 0,
    isStopped: (await readFile(`/proc/${targets.pid}/status`, 'utf8')).includes('T (stopped)'),
    created: await Promise.all(['/etc/reins-escaped', '/var/spool/cron/reins-escaped'].map(exists)),
  };
}

/** Lets a scripted model make all attempts in one run. Returns the result of each. */
async function resultsOf(
  adapter: HarnessAdapter,
  attempts: readonly EscapeAttempt[],
  sandboxOf?: ProcessSandbox | ((model: string) => Promise<ProcessSandbox>),
  changes: RunChanges = {},
) {
  const steps = attempts.map(({ tool, args }) => ({ tool: { name: tool, args } }));
  const model = await startScriptedModel({ scenarios: { text: [...steps, { text: 'Done.' }] } });
  const root = await tempDir('escapes');
  const sandbox = typeof sandboxOf === 'function' ? await sandboxOf(model.url) : sandboxOf;
  const driven = await drive(
    {
      adapter,
      endpoint: () => {
        // The folders of the run exist now. A link that leaves a tree cannot be stored, but a command can create one.
        symlinkSync(targets.other, join(root, 'work', LINK));
        const api = adapter.runtimeId === 'codex' ? 'openai-responses' : 'openai-completions';
        return { api, baseUrl: `${model.url}/s/text/v1`, apiKey: 'sk-test' };
      },
      instruction: (_scenario, text) => text,
      folder: async () => root,
      settings: adapter.runtimeId === 'openai_chat' ? { maxSteps: attempts.length + 1 } : {},
      ...(sandbox && { sandbox }),
      ...(adapter.runtimeId === 'codex' && { harnessesDir: await installedCodex() }),
    },
    'text',
    'Try to escape.',
    {
      deadlines: { totalMs: TEST_MS, startupMs: TEST_MS, idleMs: TEST_MS, noProgressMs: TEST_MS },
      tools: [...new Set([...(adapter.capabilities.builtinTools ?? [])])],
      ...changes,
    },
  );
  const { result, leftover } = await driven.result();
  const last = model.requests().at(-1)?.body as { input: readonly { type: string }[] };
  await model.close();
  expect([result, leftover]).toMatchObject([{ status: 'ok', output: 'Done.' }, 0]);
  // Codex refuses some patches without an event of a tool. The last call of the model has the results of all attempts.
  if (adapter.runtimeId === 'codex')
    return last.input.filter(({ type }) => type.endsWith('_call_output')).map((item) => JSON.stringify(item));
  return driven.events.filter(({ phase }) => phase === 'agent.tool.result').map((event) => JSON.stringify(event));
}

/** The attempts that read the secret. */
const successful = (attempts: readonly EscapeAttempt[], results: readonly string[]): string[] =>
  attempts.filter((_, index) => results[index]?.includes(SECRET)).map(({ tries }) => tries);

const CONTENT = { content: 'x' };
const EDIT = { oldText: SECRET, newText: 'x' };

describe.each((await sandboxes()).slice(0, 1))('pi in the sandbox $isolation.backend', (sandbox) => {
  test(
    'reads and changes nothing outside of the folders of its run',
    async () => {
      const edits = [{ oldText: SECRET, newText: 'x' }];
      const tools = {
        read: {},
        write: CONTENT,
        edit: { edits },
        ls: {},
        find: { pattern: '*' },
        grep: { pattern: 'ESC' },
      };
      const attempts = [...shellAttempts(targets), ...fileAttempts(targets, tools)];
      expect(attempts.length).toBeGreaterThanOrEqual(30);
      const before = await stateOfTargets();
      const results = await resultsOf(piAdapter, attempts, sandbox);
      expect(results).toHaveLength(attempts.length);
      expect(successful(attempts, results)).toEqual([]);
      expect(await stateOfTargets()).toEqual(before);
    },
    TEST_MS,
  );
});

/** An attempt of pi's shell, with the shell of Codex. */
const inCodex = ({ tries, args }: EscapeAttempt): EscapeAttempt => {
  const { command } = args as { command: string };
  return { tries, tool: 'exec_command', args: { cmd: command, yield_time_ms: 30_000 } };
};

describe.each((await sandboxes()).slice(0, 1))('Codex in the sandbox $isolation.backend', (sandbox) => {
  // Without the check of texts and paths, the sandbox alone must hold.
  test.each([false, true])(
    'reads and changes nothing outside of the folders of its run, if other paths are allowed: %s',
    async (allowOutsideWorkDir) => {
      const prepared = { tries: 'has a file to move', tool: 'exec_command', args: { cmd: 'echo x > moved.txt' } };
      const attempts = [prepared, ...shellAttempts(targets).map(inCodex), ...patchAttempts(targets)];
      expect(attempts.length).toBeGreaterThanOrEqual(60);
      const before = await stateOfTargets();
      const results = await resultsOf(codexAdapter, attempts, sandbox, { allowOutsideWorkDir });
      expect(results).toHaveLength(attempts.length);
      expect(successful(attempts, results)).toEqual([]);
      expect(await stateOfTargets()).toEqual(before);
    },
    TEST_MS,
  );
});

test(
  'openai_chat reads and changes nothing outside of the folder of its run',
  async () => {
    const tools = { read: {}, write: CONTENT, edit: EDIT, list: {} };
    const attempts = fileAttempts(targets, tools);
    expect(attempts.length).toBeGreaterThanOrEqual(30);
    const before = await stateOfTargets();
    const results = await resultsOf(openaiChatAdapter, attempts);
    expect(results).toHaveLength(attempts.length);
    expect(successful(attempts, results)).toEqual([]);
    expect(await stateOfTargets()).toEqual(before);
  },
  TEST_MS,
);

test('echo, which can only write, writes nothing outside of the folder of its run', async () => {
  const before = await stateOfTargets();
  for (const { args } of fileAttempts(targets, { write: {} })) {
    const root = await tempDir('escapes');
    const driven = await drive(
      {
        adapter: echoAdapter,
        endpoint: () => {
          symlinkSync(targets.other, join(root, 'work', LINK));
          return { api: 'openai-completions', baseUrl: '', apiKey: '' };
        },
        instruction: (_scenario, text) => text,
        folder: async () => root,
      },
      'text',
      `@echo write ${String((args as JsonObject).path)} x`,
    );
    await driven.result();
  }
  expect(await stateOfTargets()).toEqual(before);
});

/** Servers of the host. They count what reaches them, and answer with the secret. */
async function startNetworkTargets() {
  // The sandbox replaces /tmp, so a socket there is not visible.
  const folder = await mkdtemp('/var/tmp/reins-test-sockets-');
  const reached: string[] = [];
  const serve = async (name: string, where: ListenOptions): Promise<Server> => {
    const server = createServer((client) => {
      client.on('error', () => client.destroy());
      client.once('data', () => {
        reached.push(name);
        client.end(SECRET);
      });
    });
    server.listen(where);
    await once(server, 'listening');
    return server;
  };
  const tcp = await serve('tcp', { port: 0, host: '::' });
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp6', (_, from) => {
    reached.push('udp');
    udp.send(SECRET, from.port, from.address);
  });
  udp.bind(port, '::');
  await once(udp, 'listening');
  const [abstract, socket] = [`reins-${randomUUID()}`, join(folder, 'host.sock')];
  const servers = [tcp, await serve('abstract', { path: `\0${abstract}` }), await serve('unix', { path: socket })];
  const [{ address } = { address: '127.0.0.1' }] = Object.values(networkInterfaces())
    .flatMap((all = []) => all)
    .filter(({ family, internal }) => family === 'IPv4' && !internal);
  const close = async (): Promise<void> => {
    for (const server of [...servers, udp]) server.close();
    await rm(folder, { recursive: true });
  };
  return { reached, close, targets: { secret: SECRET, port, address, abstract, socket } };
}

describe.each(await sandboxes())('the network in the sandbox $isolation.backend', (sandbox) => {
  /** The results of the attempts of a run that reaches its model through a door, or without a restriction. */
  async function attempted(adapter: HarnessAdapter, isRestricted: boolean) {
    const { reached, close, targets: servers } = await startNetworkTargets();
    const relays: Server[] = [];
    const door = async (model: string): Promise<ProcessSandbox> => {
      const port = Number(new URL(model).port);
      const socket = join(await tempDir('door'), 'door.sock');
      relays.push(createServer((from) => from.pipe(connect(port, '127.0.0.1')).pipe(from)).listen(socket));
      await once(relays[0] as Server, 'listening');
      return { ...sandbox, network: { doors: [{ port, socket }], variables: {} } };
    };
    const ofPi = networkAttempts({ ...servers, pid: victim.pid ?? 0 } satisfies NetworkTargets);
    const attempts = adapter === codexAdapter ? ofPi.map(inCodex) : ofPi;
    try {
      const results = await resultsOf(adapter, attempts, isRestricted ? door : sandbox);
      expect(results).toHaveLength(attempts.length);
      return { reached, successful: successful(attempts, results), count: attempts.length };
    } finally {
      for (const relay of relays) relay.close();
      await close();
    }
  }

  test(
    'of pi is that of the host unless it is restricted',
    async () => {
      const open = await attempted(piAdapter, false);
      expect(open.successful).toEqual(
        expect.arrayContaining([
          'reaches a service of the host',
          'reaches a datagram',
          'reaches a Unix socket in a visible folder',
        ]),
      );
    },
    TEST_MS,
  );

  test.each([piAdapter, codexAdapter])(
    'of $runtimeId has only its doors',
    async (adapter) => {
      if ((await networkLimit(sandbox.isolation)) === 'none') return; // Then the sandbox does not start with doors.
      const { reached, successful: succeeded, count } = await attempted(adapter, true);
      expect(count).toBeGreaterThanOrEqual(24);
      expect(succeeded).toEqual([]);
      expect(reached).toEqual([]);
    },
    TEST_MS,
  );
});

test(
  'openai_chat reaches no server by a path',
  async () => {
    const { reached, close, targets: servers } = await startNetworkTargets();
    const tools = { read: {}, write: CONTENT, edit: EDIT, list: {} };
    const attempts = networkPathAttempts({ ...servers, pid: 1 }, tools);
    expect(attempts.length).toBeGreaterThanOrEqual(12);
    const results = await resultsOf(openaiChatAdapter, attempts);
    await close();
    expect(results).toHaveLength(attempts.length);
    expect(successful(attempts, results)).toEqual([]);
    expect(reached).toEqual([]);
  },
  TEST_MS,
);
