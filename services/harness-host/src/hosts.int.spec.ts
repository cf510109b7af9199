import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Claim, Claims, Controls, type Entry, openBucket, workerDurable } from '@reins/bus';
import { ReinsError, type RuntimeStageRequested } from '@reins/contracts';
import { listRunProcesses } from '@reins/harness';
import { startScriptedModel } from '@reins/scripted-model';
import { until } from '@reins/testing';
import { treeFromEntries } from '@reins/workspace-tree';
import { removeOrphans } from './executor/run-folder.ts';
import { DEFAULT_SETTINGS, HostFixture, type HostSettings } from './testing/host-fixture.ts';
import { runFoldersOf } from './testing/run-folders.ts';

const NOTES = new URL('../testdata/workspace/servers/notes.mjs', import.meta.url);
const HOST = fileURLToPath(new URL('./testing/host-process.ts', import.meta.url));

let fixture: HostFixture;
const processes: ChildProcess[] = [];
beforeEach(async () => {
  fixture = await HostFixture.start();
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map(kill));
  await removeOrphans();
  await fixture.stop();
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Starts a host in a separate process. */
async function startHostProcess(slots = 2, overrides: Partial<HostSettings> = {}): Promise<ChildProcess> {
  const host = { ...DEFAULT_SETTINGS.host, ...overrides.host, id: 'killed-host', slots };
  const settings = JSON.stringify({ ...DEFAULT_SETTINGS, ...overrides, host });
  const child = fork(HOST, [fixture.nats.url, settings], {
    execArgv: ['--conditions=reins-source', '--disable-warning=ExperimentalWarning'],
  });
  processes.push(child);
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`the host exited with ${code}`)));
  ended.catch(() => undefined); // The test kills the host later.
  await Promise.race([once(child, 'message'), ended]);
  return child;
}

/** The number of run processes that belong to this process. */
const executors = async (): Promise<number> =>
  (await listRunProcesses()).filter(({ token }) => token.startsWith(`${process.pid}-`)).length;

describe('several hosts', () => {
  test('another host reports an unknown outcome for a killed host and removes its processes and folders', async () => {
    const child = await startHostProcess();
    const { effectId } = await fixture.request({ instruction: '@echo write a.txt hello\n@echo hang' });
    await fixture.firstEvent(effectId, 'agent.handoff');
    const other = await startHostProcess(2, { host: { ...DEFAULT_SETTINGS.host, runtimes: ['openai_chat'] } });
    await until(async () => (await runFoldersOf(other.pid)).length === 1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await runFoldersOf(child.pid)).toHaveLength(1);
    await fixture.host();
    await until(async () => (await runFoldersOf(child.pid)).length === 0);
    // The files of another live host on this machine are not touched.
    expect(await runFoldersOf(other.pid)).toHaveLength(1);
    expect((await listRunProcesses()).filter(({ token }) => token.startsWith(`${child.pid}-`))).toEqual([]);
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      type: 'runtime.stage.failed',
      outcome: 'unknown',
      retryable: true,
      error: { code: 'stage_outcome_unknown' },
    });
    expect(fixture.eventsOf('runtime.stage.started', effectId)).toHaveLength(1);
    // The next attempt runs on the remaining host.
    await fixture.request({ instruction: 'again', effectId, attempt: 2 });
    expect(await fixture.firstEvent(effectId, 'runtime.stage.completed')).toMatchObject({
      attempt: 2,
      output: 'again',
    });
  });

  test('another host kills the servers of a killed host and their descendants', async () => {
    const model = await startScriptedModel({ scenarios: { none: [{ text: 'Done.' }] } });
    const url = `${model.url}/s/none/v1`;
    const chat: Partial<HostSettings> = {
      host: { ...DEFAULT_SETTINGS.host, runtimes: ['openai_chat'] },
      providers: { scripted: { api: 'openai-completions', baseUrl: url, apiKey: 'sk-test-1234' } },
    };
    const child = await startHostProcess(2, chat);
    const command = ['sh', '-c', 'sleep 600 & exec sleep 600'];
    const server = (name: string) => ({
      name,
      config: { type: 'local', enabled: true, command, environment: {}, timeout: 60_000 } as const,
    });
    const model_client = {
      model_proxy_provider: 'openai_compatible',
      api_key: '{setting:providers.scripted.apiKey}',
      base_url: url,
      default_headers: null,
    } as const;
    const request = {
      provider_id: 'scripted',
      model_id: 'scripted-model',
      model_client,
      mcp_servers: [server('a'), server('b')],
    };
    await fixture.request({ runtimeId: 'openai_chat', instruction: 'Go.', request });
    const leftover = async () => (await listRunProcesses()).filter(({ token }) => token.startsWith(`${child.pid}-`));
    await until(async () => (await leftover()).length >= 4);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await fixture.host(chat);
    expect(await leftover()).toEqual([]);
    await until(async () => (await runFoldersOf(child.pid)).length === 0);
    await model.close();
  });

  test('the servers that wait for the next stage of a request leave nothing behind when their host is killed', async () => {
    const model = await startScriptedModel({ scenarios: { none: [{ text: 'Done.' }] } });
    const url = `${model.url}/s/none/v1`;
    const chat: Partial<HostSettings> = {
      host: { ...DEFAULT_SETTINGS.host, runtimes: ['openai_chat'] },
      providers: { scripted: { api: 'openai-completions', baseUrl: url, apiKey: 'sk-test-1234' } },
    };
    const child = await startHostProcess(2, chat);
    const notes = { type: 'local', enabled: true, command: [process.execPath, 'notes.mjs'] } as const;
    const tree = treeFromEntries([{ path: 'notes.mjs', content: await readFile(NOTES, 'utf8') }]);
    const { effectId } = await fixture.request({
      ...{ runtimeId: 'openai_chat', instruction: 'Go.', tree: (await fixture.trees.put(tree)).treeId },
      request: {
        ...{ provider_id: 'scripted', model_id: 'scripted-model' },
        model_client: {
          ...{ model_proxy_provider: 'openai_compatible', base_url: url, default_headers: null },
          api_key: '{setting:providers.scripted.apiKey}',
        },
        mcp_servers: [{ name: 'notes', config: { ...notes, environment: {}, timeout: 60_000 } }],
      },
    });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed' });
    const left = async () => (await listRunProcesses()).filter(({ token }) => token.startsWith(`${child.pid}-`));
    const commands = async () =>
      Promise.all((await left()).map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
    expect((await commands()).some((line) => line.includes('notes.mjs'))).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await fixture.host(chat);
    expect(await left()).toEqual([]);
    await until(async () => (await runFoldersOf(child.pid)).length === 0);
    await model.close();
  });

  test('each stage has exactly one outcome when its host is killed at any time', async () => {
    const child = await startHostProcess(8);
    const instructions = [0, 100, 200, 400, 800, 1600, 3200, 6400].map(
      (delay) => `@echo delay ${delay}\n@echo answer ${delay}`,
    );
    const events: RuntimeStageRequested[] = [];
    for (const instruction of instructions) events.push(await fixture.request({ instruction }));
    await fixture.firstEvent(events[0]?.effectId ?? '', 'runtime.stage.completed');
    child.kill('SIGKILL');
    await once(child, 'exit');
    await fixture.host();
    const finals = await Promise.all(events.map(({ effectId }) => fixture.finalEvent(effectId)));
    for (const [index, { effectId }] of events.entries()) {
      const completed = fixture.eventsOf('runtime.stage.completed', effectId);
      const failed = fixture.eventsOf('runtime.stage.failed', effectId);
      // Every stage has one outcome, and the other host completed those that the killed host had not started.
      expect(completed.length > 0 && failed.length > 0).toBe(false);
      if (completed[0]) expect(completed[0].output).toBe(instructions[index]?.split(' ').at(-1));
      else expect(finals[index]).toMatchObject({ outcome: 'unknown', retryable: true });
    }
  });

  test('a host that lost its claim stops its tools and sends no answer, and the outcome is unknown', async () => {
    await fixture.host();
    const { effectId } = await fixture.request({ instruction: '@echo hang' });
    await fixture.firstEvent(effectId, 'agent.handoff');
    const claims = await openBucket<Claim>(fixture.bus, 'claims');
    const claim = (await claims.get(effectId)) as Entry<Claim>;
    await claims.update(effectId, { ...claim.value, state: 'abandoned' }, claim.revision);
    await claims.put(`beat.${claim.value.incarnation}.lost`, claim.value);
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      outcome: 'unknown',
      error: { code: 'stage_outcome_unknown' },
    });
    expect(fixture.eventsOf('runtime.stage.started', effectId)).toHaveLength(1);
  });

  test('a redelivered request gets the stored answer and does not run again', async () => {
    await fixture.host();
    const event = await fixture.request({ instruction: '@echo answer once' });
    const first = await fixture.finalEvent(event.effectId);
    await fixture.publish(event, 'delivered-again');
    for (;;) {
      const answers = fixture.eventsOf('runtime.stage.completed', event.effectId);
      if (answers.length > 1) {
        expect(answers[1]).toEqual(first);
        break;
      }
      await fixture.nextEvent();
    }
    expect(fixture.eventsOf('runtime.stage.started', event.effectId)).toHaveLength(1);
  });

  test('a stage that finishes while NATS is down is answered after it is back and does not run again', async () => {
    await fixture.host();
    const event = await fixture.request({ instruction: '@echo delay 400\n@echo answer kept' });
    await fixture.firstEvent(event.effectId, 'agent.handoff');
    await fixture.nats.kill();
    const killedAt = performance.now();
    // The stage finishes while NATS is down, and its claim stays valid.
    await until(() => performance.now() - killedAt > 1200);
    await fixture.nats.restart();
    const completed = await fixture.inInbox('runtime.stage.completed', event);
    expect(completed).toMatchObject({ attempt: 1, output: 'kept' });
    expect(fixture.countOf('agent.handoff', event.effectId)).toBe(1);
    expect(fixture.eventsOf('runtime.stage.failed', event.effectId)).toEqual([]);
  });

  test('a host whose durable consumer was deleted reports a fatal problem', async () => {
    await fixture.host();
    await fixture.bus.jsm.consumers.delete('EVENTS', workerDurable('runtime.stage.requested', 'echo'));
    await until(() => fixture.fatalProblems.length > 0);
    expect(fixture.fatalProblems).toMatchObject([{ code: 'bus_unavailable', path: 'echo' }]);
  });

  test('a stage whose controls cannot be read at first is not given up', async () => {
    const { watch } = Controls.prototype;
    let reads = 0;
    Controls.prototype.watch = function (...args) {
      reads += 1;
      if (reads > 2) return watch.apply(this, args);
      return Promise.reject(new ReinsError({ code: 'bus_unavailable', message: 'no leader' }));
    };
    try {
      await fixture.host();
      const { effectId } = await fixture.request({ instruction: '@echo answer done' });
      expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.completed', output: 'done' });
      expect(reads).toBe(3);
    } finally {
      Controls.prototype.watch = watch;
    }
  });

  test('an attempt that was superseded by a later one is ignored', async () => {
    const claims = await Claims.open(fixture.bus, { host: 'other' });
    const taken = await claims.take('effect-old', 2);
    await fixture.host();
    await fixture.request({ instruction: 'old', effectId: 'effect-old', attempt: 1 });
    const { effectId } = await fixture.request({ instruction: 'new' });
    await fixture.finalEvent(effectId);
    expect(fixture.eventTypes('effect-old')).toEqual(['runtime.stage.requested']);
    if (taken.outcome === 'taken') await taken.held.release();
  });

  test('stop reports stages that do not finish in time as unknown', async () => {
    const host = await fixture.host();
    const hanging = await fixture.request({ instruction: '@echo hang' });
    const ending = await fixture.request({ instruction: '@echo delay 100\n@echo answer done' });
    await fixture.firstEvent(hanging.effectId, 'agent.handoff');
    await fixture.firstEvent(ending.effectId, 'agent.handoff');
    await host.stop(4000);
    expect(await fixture.finalEvent(ending.effectId)).toMatchObject({
      type: 'runtime.stage.completed',
      output: 'done',
    });
    expect(await fixture.finalEvent(hanging.effectId)).toMatchObject({
      type: 'runtime.stage.failed',
      outcome: 'unknown',
      retryable: true,
    });
    expect(await executors()).toBe(0);
  });

  test('runtimes and hosts share the slots', async () => {
    await fixture.host();
    await fixture.host();
    const events: { readonly effectId: string }[] = [];
    for (let index = 0; index < 12; index += 1)
      events.push(await fixture.request({ instruction: `@echo delay 50\n@echo answer ${index}` }));
    const answers = await Promise.all(
      events.map(({ effectId }) => fixture.firstEvent(effectId, 'runtime.stage.completed')),
    );
    expect(answers.map(({ output }) => output)).toEqual(events.map((_, index) => String(index)));
    for (const { effectId } of events) expect(fixture.eventsOf('runtime.stage.started', effectId)).toHaveLength(1);
  });

  test('a restart of NATS during a stage does not affect it', async () => {
    await fixture.host();
    const event = await fixture.request({ instruction: '@echo delay 1500\n@echo stream\n@echo answer made it' });
    await fixture.firstEvent(event.effectId, 'agent.handoff');
    await fixture.nats.restart();
    // A core NATS subscriber misses messages while it reconnects, but the inbox stores them.
    const answer = await fixture.inInbox('runtime.stage.completed', event);
    expect(answer).toMatchObject({ type: 'runtime.stage.completed', output: 'made it' });
  });
});
