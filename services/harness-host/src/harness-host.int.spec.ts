import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ClaimRevocations, type DeadLetter, DeadLetters, lastMessageOn, openBucket } from '@reins/bus';
import { eventSubject, type HarnessOffer, parseEvent } from '@reins/contracts';
import { VERDICT_SCHEMA } from '@reins/runtime-config';
import { tempDir, until } from '@reins/testing';
import { StageWorkspace } from './stage/stage-workspace.ts';
import { DEFAULT_SETTINGS, HostFixture } from './testing/host-fixture.ts';

const VERDICT_FORMAT = { type: 'json_schema', schema: VERDICT_SCHEMA, retryCount: 1 } as const;

let fixture: HostFixture;
beforeAll(async () => {
  fixture = await HostFixture.start();
  const host = {
    ...DEFAULT_SETTINGS.host,
    id: 'host-a',
    runtimes: ['echo', 'openai_chat'],
    slots: 3,
    secrets: ['MY_SECRET'],
  };
  const providers = {
    scripted: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-canary-4711' },
  } as const;
  await fixture.host({ host, providers }, { MY_SECRET: 'hush-hush' });
});
afterAll(() => fixture.stop());

describe('a stage', () => {
  test('reports started, signals and completed, and stores its files as a tree', async () => {
    const { effectId, tree } = await fixture.request({
      instruction: '@echo write a.txt hello\n@echo stream\n@echo answer one two three',
    });
    const completed = await fixture.finalEvent(effectId);
    expect(completed).toMatchObject({
      type: 'runtime.stage.completed',
      stage: 'execute',
      runtimeId: 'echo',
      attempt: 1,
      output: 'one two three',
    });
    if (completed.type !== 'runtime.stage.completed') return;
    expect(completed.tree).not.toBe(tree);
    expect(await fixture.files(completed.tree)).toEqual({ 'a.txt': 'hello\n' });
    // A preparation of more than 100 ms is reported, too. The start is stored after these reports, next to the signals.
    const reports: readonly string[] = ['runtime.stage.claimed', 'effect.progress', 'runtime.stage.started'];
    const types = fixture.eventTypes(effectId);
    expect(types.filter((type) => !reports.includes(type))).toEqual([
      'runtime.stage.requested',
      'agent.handoff',
      'agent.output.delta',
      'runtime.stage.completed',
    ]);
    expect(types.filter((type) => type === 'runtime.stage.started')).toHaveLength(1);
    const signals = [
      ...fixture.eventsOf('agent.handoff', effectId),
      ...fixture.eventsOf('agent.output.delta', effectId),
    ];
    expect(signals.map(({ seq, attempt, stage }) => [seq, attempt, stage])).toEqual([
      [1, 1, 'execute'],
      [2, 1, 'execute'],
    ]);
  });

  test('starts with the tree of an earlier stage', async () => {
    const first = await fixture.request({ instruction: '@echo write a.txt one' });
    const { tree } = await fixture.firstEvent(first.effectId, 'runtime.stage.completed');
    const second = await fixture.request({ instruction: '@echo write b.txt two', tree });
    const completed = await fixture.firstEvent(second.effectId, 'runtime.stage.completed');
    expect(await fixture.files(completed.tree)).toEqual({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
  });

  test('reports its failure, and runs again for a later attempt', async () => {
    const request = { instruction: '@echo fail 1', effectId: 'effect-retry' };
    await fixture.request(request);
    expect(await fixture.finalEvent('effect-retry')).toMatchObject({
      type: 'runtime.stage.failed',
      attempt: 1,
      retryable: true,
      outcome: 'failed',
      error: { code: 'model_unavailable' },
    });
    await fixture.request({ ...request, attempt: 2 });
    expect(await fixture.firstEvent('effect-retry', 'runtime.stage.completed')).toMatchObject({ attempt: 2 });
  });

  test('has an unknown outcome when its executor dies, and the host continues', async () => {
    const { effectId } = await fixture.request({ instruction: '@echo crash' });
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      type: 'runtime.stage.failed',
      outcome: 'unknown',
      retryable: true,
      error: { code: 'stage_executor_lost' },
    });
    const next = await fixture.request({ instruction: 'still there?' });
    expect(await fixture.finalEvent(next.effectId)).toMatchObject({ output: 'still there?' });
  });

  test('is stopped at its time limit', async () => {
    const limits = { startWithinMs: 60_000, runForMs: 700, maxAttempts: 1, onUnknown: 'fail' } as const;
    const { effectId } = await fixture.request({ instruction: '@echo hang', event: { limits } });
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      type: 'runtime.stage.failed',
      error: { code: expect.stringMatching(/^harness_(timeout_total|no_progress|timeout_idle)$/) },
    });
  });

  test('is not started once its owner has given it up', async () => {
    // One request per in-process slot.
    const others: string[] = [];
    for (let slot = 0; slot < 64; slot += 1)
      others.push((await fixture.request({ instruction: '@echo hang' })).effectId);
    for (const other of others) await fixture.firstEvent(other, 'agent.handoff');
    const { effectId } = await fixture.request({ instruction: 'late' });
    const revocations = await ClaimRevocations.open(fixture.bus);
    expect(await revocations.revoke(effectId, 1)).toBeUndefined();
    for (const other of others) await fixture.controls.send(other, { id: 'cancel', kind: 'cancel' });
    const next = await fixture.request({ instruction: 'next', effectId, attempt: 2 });
    expect(await fixture.finalEvent(next.effectId)).toMatchObject({ attempt: 2, output: 'next' });
    expect(fixture.eventsOf('runtime.stage.started', effectId)).toMatchObject([{ attempt: 2 }]);
  });

  test('ignores the orders for other attempts', async () => {
    const { effectId } = await fixture.request({ instruction: '@echo delay 300\n@echo answer done', attempt: 2 });
    await fixture.controls.send(effectId, { id: 'cancel.1', kind: 'cancel', attempt: 1 });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ attempt: 2, output: 'done' });
  });
});

describe('an evaluation', () => {
  const evaluate = (instruction: string) =>
    fixture.request({ instruction, stage: 'evaluate', request: { output_format: VERDICT_FORMAT } });

  test('completes with a verdict', async () => {
    const { effectId } = await evaluate('@echo answer {"outcome":"fail","score":0.2,"reasons":["no end"]}');
    expect(await fixture.firstEvent(effectId, 'runtime.stage.completed')).toMatchObject({
      verdict: { outcome: 'fail', score: 0.2, reasons: ['no end'] },
    });
  });

  test('fails without a verdict', async () => {
    const { effectId } = await evaluate('@echo answer It looks fine.');
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      error: {
        code: 'harness_output_invalid',
        message: expect.stringContaining('the answer begins with: It looks fine.'),
        hint: expect.stringContaining('{"outcome": "pass" or "fail", "reasons"'),
      },
      retryable: true,
    });
  });

  test('rejects prose output even if the request has no output schema', async () => {
    const { effectId } = await fixture.request({ instruction: 'It looks fine.', stage: 'evaluate' });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ error: { code: 'harness_output_invalid' } });
  });
});

describe('controls', () => {
  test('cancel stops a running stage', async () => {
    const { effectId } = await fixture.request({ instruction: '@echo hang' });
    await fixture.firstEvent(effectId, 'agent.handoff');
    await fixture.controls.send(effectId, { id: 'cancel', kind: 'cancel' });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ type: 'runtime.stage.cancelled', attempt: 1 });
  });

  test('cancel prevents a stage from being prepared when it arrives first', async () => {
    const materialise = jest.spyOn(StageWorkspace.prototype, 'materialiseInput');
    await fixture.controls.send('effect-early', { id: 'cancel', kind: 'cancel' });
    await fixture.request({ instruction: '@echo hang', effectId: 'effect-early' });
    expect((await fixture.finalEvent('effect-early')).type).toBe('runtime.stage.cancelled');
    expect(materialise).not.toHaveBeenCalled();
    materialise.mockRestore();
  });
});

describe('secrets', () => {
  const client = {
    model_proxy_provider: 'openai_compatible',
    api_key: '{setting:providers.scripted.apiKey}',
    base_url: 'http://127.0.0.1:9/v1',
    default_headers: null,
  } as const;
  const model = { provider_id: 'scripted', model_id: 'm', model_client: client };

  test('are inserted by the host and redacted in everything that it emits', async () => {
    const { effectId } = await fixture.request({ instruction: '@echo leak\n@echo stream', request: model });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ output: '[redacted]' });
    expect(fixture.eventsOf('agent.output.delta', effectId).map(({ event }) => event.text)).toEqual(['[redacted]']);
  });

  test('are available only when the settings name them', async () => {
    const named = { ...model, model_client: { ...client, api_key: '{env:MY_SECRET}' } };
    const { effectId } = await fixture.request({ instruction: '@echo leak', request: named });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ output: '[redacted]' });
    const other = { ...model, model_client: { ...client, api_key: '{env:PATH}' } };
    const refused = await fixture.request({ instruction: '@echo leak', request: other });
    expect(await fixture.finalEvent(refused.effectId)).toMatchObject({
      error: { code: 'host_value_missing' },
      retryable: false,
    });
  });
});

describe('invalid requests', () => {
  test('an invalid host request fails the stage', async () => {
    const { effectId } = await fixture.request({ instruction: '', request: { session_id: '' } });
    expect(await fixture.finalEvent(effectId)).toMatchObject({
      error: { code: 'host_request_invalid' },
      retryable: false,
    });
  });

  test('a missing tree fails the stage', async () => {
    const { effectId } = await fixture.request({ instruction: 'x', tree: 'a'.repeat(64) });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ error: { code: 'tree_not_found' } });
  });

  test.each(['', 'nowhere'])('a request with the reply subject %p is dead-lettered', async (reply) => {
    const { effectId, requestId } = await fixture.request({ instruction: 'x', reply });
    const isOfRun = ({ subject }: DeadLetter) => subject.includes(`.${requestId}.`);
    let dead: DeadLetter | undefined;
    while (!dead) dead = (await new DeadLetters(fixture.bus).list()).find(isOfRun);
    expect(dead.problem).toMatchObject({ code: 'subject_invalid' });
    expect(await (await openBucket(fixture.bus, 'claims')).get(effectId)).toBeUndefined();
  });

  test('a stage fails when its started event cannot be published, and the host continues', async () => {
    const limit = (bytes: number) => fixture.bus.jsm.streams.update('INBOX', { max_msg_size: bytes });
    await limit(16);
    const event = await fixture.request({ instruction: '@echo delay 3000\n@echo answer x' });
    await fixture.firstEvent(event.effectId, 'agent.handoff');
    await limit(-1);
    expect(await fixture.inInbox('runtime.stage.failed', event)).toMatchObject({
      error: { code: 'bus_message_too_large' },
      retryable: false,
    });
  });

  test('a repaired request whose answer is not needed is acknowledged, and not performed', async () => {
    const late = await fixture.request({ instruction: 'too late', reply: '', repaired: true });
    const { effectId } = await fixture.request({ instruction: 'after it' });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ output: 'after it' });
    await until(async () => {
      const { ack_floor, delivered } = await fixture.bus.jsm.consumers.info('EVENTS', 'runtime-stage-requested-echo');
      return ack_floor.consumer_seq === delivered.consumer_seq;
    });
    const dead = await new DeadLetters(fixture.bus).list();
    expect(dead.filter(({ subject }) => subject.includes(late.requestId))).toEqual([]);
    expect(await (await openBucket(fixture.bus, 'claims')).get(late.effectId)).toBeUndefined();
  });

  test('invalid messages do not affect other stages', async () => {
    await fixture.bus.js.publish('runtime.stage.requested.ws1.run0.echo', '{"type":"runtime.stage.requested"');
    const { effectId } = await fixture.request({ instruction: 'after the garbage' });
    expect(await fixture.finalEvent(effectId)).toMatchObject({ output: 'after the garbage' });
  });
});

describe('offers', () => {
  test('list the runtimes of the host, with a reason for each unhealthy one', async () => {
    const bucket = await openBucket<HarnessOffer>(fixture.bus, 'harnesses');
    expect((await bucket.get('host-a.echo'))?.value).toMatchObject({
      hostId: 'host-a',
      runtimeId: 'echo',
      healthy: true,
      slots: 64,
    });
    expect((await bucket.get('host-a.openai_chat'))?.value).toMatchObject({
      healthy: false,
      reason: expect.stringMatching(
        /^provider scripted cannot be reached at .* \(Check .*providers\.scripted\.base_url/,
      ),
      providers: [{ providerId: 'scripted', status: 'failed', hint: expect.stringContaining('base_url') }],
    });
  });

  test('are published as events that belong to no request', async () => {
    for (const type of ['runtime.harness.available', 'runtime.harness.unavailable'] as const) {
      const fact = await lastMessageOn(fixture.bus, 'EVENTS', eventSubject({ type, workspaceId: '_', requestId: '_' }));
      expect(fact && parseEvent(fact.data)).toMatchObject({ type, hostId: 'host-a' });
    }
  });

  test('contain no secret, even if an executable prints it', async () => {
    const command = join(await tempDir('pi'), 'pi');
    await writeFile(command, '#!/bin/sh\necho "token hush-hush-4711 key sk-canary-4711"\n', { mode: 0o755 });
    const host = { ...DEFAULT_SETTINGS.host, id: 'host-leaky', runtimes: ['pi'], secrets: ['MY_SECRET'] };
    const providers = {
      named: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'sk-canary-4711' },
    } as const;
    const settings = { host, providers, harness: { pi: { command } } };
    const leaky = await fixture.host(settings, { MY_SECRET: 'hush-hush-4711' });
    const bucket = await openBucket<HarnessOffer>(fixture.bus, 'harnesses');
    const offer = (await bucket.get('host-leaky.pi'))?.value;
    const subject = eventSubject({ type: 'runtime.harness.unavailable', workspaceId: '_', requestId: '_' });
    const fact = await lastMessageOn(fixture.bus, 'EVENTS', subject);
    const event = fact && parseEvent(fact.data);
    for (const shown of [offer, event, leaky.notReadyReason()]) {
      expect(JSON.stringify(shown)).toContain('is not a working pi');
      expect(JSON.stringify(shown)).not.toMatch(/hush-hush|sk-canary/);
    }
    await leaky.stop();
  });

  test('a host with an unknown runtime does not start', async () => {
    const unknown = { runtimeProfile: { default: 'cursor', stages: {} } };
    await expect(fixture.host(unknown)).rejects.toMatchObject({ code: 'harness_unknown' });
  });
});
