import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from '../server.ts';
import { ask, send } from '../testing/clients.ts';

async function withModel<T>(work: (model: ScriptedModel) => Promise<T>, options?: ScriptedModelOptions): Promise<T> {
  const model = await startScriptedModel(options);
  try {
    return await work(model);
  } finally {
    await model.close();
  }
}

const question = { user: 'Say it.' };

describe('scenarios', () => {
  it('are selected by the prefix, and default to "write"', () =>
    withModel(async (model) => {
      const tools = [{ name: 'write', properties: { path: {}, content: {} } }];
      const answer = await ask(model.url, 'chat', { user: 'Do it.', tools }, false);
      expect(answer.calls[0]?.name).toBe('write');
      expect((await ask(`${model.url}/s/text`, 'chat', question, false)).text).toBe('Hello from the scripted model.');
      expect((await send(`${model.url}/s/none`, 'chat', question, false)).status).toBe(404);
      expect((await send(`${model.url}/s/__proto__`, 'chat', question, false)).status).toBe(404);
    }));

  it('answer side calls without tools with a text', () =>
    withModel(async (model) => {
      const answer = await ask(`${model.url}/s/shell`, 'chat', { user: 'A title, please.' }, false);
      expect(answer).toMatchObject({ text: 'Answered by the scripted model', calls: [] });
    }));

  it('select their steps by the texts and tools of the request', () => {
    const cases = [
      { when: { user: '/weather/i' }, steps: [{ text: 'user' }] },
      { when: { text: 'code word' }, steps: [{ text: 'anywhere' }] },
      { when: { offers: '/^submit_/', stage: 'evaluate' }, steps: [{ text: 'offers' }] },
      { when: { stage: 'execute', fromIteration: 3 }, steps: [{ text: 'late' }] },
      { when: { stage: 'execute' }, steps: [{ text: 'early' }] },
    ];
    return withModel(
      async (model) => {
        const says = async (conversation: Parameters<typeof ask>[2]): Promise<string> =>
          (await ask(`${model.url}/s/chosen`, 'chat', conversation, false)).text;
        const tools = [{ name: 'submit_verdict', properties: {} }];
        expect(await says({ user: 'How is the WEATHER?' })).toBe('user');
        expect(await says({ system: 'The code word.', user: 'Hm.' })).toBe('anywhere');
        expect(await says({ user: 'Reins stage: evaluate', tools })).toBe('offers');
        expect(await says({ user: 'Reins stage: execute\nReins iteration: 12' })).toBe('late');
        expect(await says({ user: 'Reins stage: execute\r\nReins iteration: 2\r\n' })).toBe('early');
        expect(await says({ user: 'I say: Reins stage: execute' })).toBe(
          'The scripted model has no case for this request.',
        );
      },
      { scenarios: { chosen: { cases } } },
    );
  });

  it('are rejected with all problems, at the start and later', () =>
    withModel(async (model) => {
      const wrong = { bad: [{ text: 1, wait: true }, { status: 200 }] };
      await expect(startScriptedModel({ scenarios: wrong })).rejects.toMatchObject({
        code: 'script_invalid',
        problems: [
          expect.objectContaining({ path: 'bad.0.text' }),
          expect.objectContaining({ path: 'bad.0', message: expect.stringContaining('wait') }),
          expect.objectContaining({ path: 'bad.1.status' }),
        ],
      });
      for (const [name, script] of [
        ['bad', wrong.bad],
        ['bad', []],
        ['bad', [{ tool: { name: '/(/' } }]],
        ['a%20b', [{ text: 'x' }]],
      ] as const) {
        const response = await fetch(`${model.url}/__scenarios/${name}`, {
          method: 'PUT',
          body: JSON.stringify(script),
        });
        expect(response.status).toBe(400);
        expect(await response.json()).toMatchObject({
          problems: expect.arrayContaining([expect.objectContaining({ code: 'script_invalid' })]),
        });
      }
    }));

  it('stop after too many tool results', () =>
    withModel(async (model) => {
      const tools = [{ name: 'bash', properties: { command: {} } }];
      const first = await ask(`${model.url}/s/shell`, 'chat', { user: 'Do it.', tools }, false);
      const call = { ...first, calls: [{ id: 'x', name: 'bash', args: {} }] };
      const last = await ask(
        `${model.url}/s/loop`,
        'chat',
        { user: 'Go.', tools, rounds: Array(300).fill(call) },
        false,
      );
      expect(last.text).toMatch(/^The scripted model stops/);
    }));
});

describe('the server', () => {
  it('lists received requests with masked keys', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'reins-model-'));
    const log = join(folder, 'requests.jsonl');
    try {
      await withModel(
        async (model) => {
          await send(`${model.url}/s/text`, 'chat', question, true, { authorization: 'Bearer sk-secret' });
          await fetch(`${model.url}/s/text/v1beta/models/m:generateContent?key=sk-secret`, {
            method: 'POST',
            body: '{}',
          });
          const seen = model.requests();
          expect(seen).toMatchObject([
            { n: 1, protocol: 'chat', scenario: 'text', stream: true, step: 0, key: 'accepted', model: 'any' },
            { n: 2, protocol: 'gemini', path: '/s/text/v1beta/models/m:generateContent?key=***', model: 'm' },
          ]);
          expect(seen[0]?.answer).toEqual({ text: 'Hello from the scripted model.', tools: [] });
          expect(await (await fetch(`${model.url}/__requests`)).json()).toEqual(seen);
          await fetch(`${model.url}/__reset`, { method: 'POST' });
          expect(model.requests()).toEqual([]);
        },
        { log },
      );
      const lines = (await readFile(log, 'utf8')).trim().split('\n');
      expect(lines).toHaveLength(2);
      expect(lines.join()).not.toContain('sk-secret');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('keeps only the newest requests', () =>
    withModel(async (model) => {
      for (let turn = 0; turn < 21; turn += 1) {
        await Promise.all(Array.from({ length: 100 }, () => fetch(`${model.url}/v1/models`).then((r) => r.text())));
      }
      expect(model.requests()).toHaveLength(2000);
      expect(model.requests()[0]?.n).toBe(101);
    }));

  it('rejects unknown routes', () =>
    withModel(async (model) => {
      const status = async (path: string, init?: RequestInit): Promise<number> =>
        (await fetch(model.url + path, init)).status;
      expect(await status('/v1/unknown')).toBe(404);
      expect(await status('/v1/chat/completions')).toBe(404);
      expect(await status('/v1/chat/completions', { method: 'POST', body: '{"messages":' })).toBe(400);
      expect(await status('/s/%E0%A4%A/v1/chat/completions', { method: 'POST', body: '{}' })).toBe(404);
      expect(await status('/', { method: 'HEAD' })).toBe(200);
      const large = Buffer.alloc(32 * 1024 * 1024 + 1, ' ');
      expect(await status('/v1/chat/completions', { method: 'POST', body: large })).toBe(413);
    }));

  it('rejects WebSocket upgrades', () =>
    withModel(async (model) => {
      const status = await new Promise((resolve, reject) => {
        const headers = { connection: 'Upgrade', upgrade: 'websocket' };
        httpRequest(`${model.url}/v1/responses`, { headers }, (response) => resolve(response.resume().statusCode))
          .on('error', reject)
          .end();
      });
      expect(status).toBe(426);
      expect(model.requests()).toMatchObject([{ method: 'UPGRADE', answer: 426 }]);
    }));

  it('closes hanging requests when it is closed', async () => {
    const model = await startScriptedModel({ scenarios: { late: [{ delayMs: 600_000, text: 'x' }] } });
    const waiting = ['hang', 'late', 'slow'].map(async (scenario) => {
      const response = await send(`${model.url}/s/${scenario}`, 'chat', question, true);
      return response.text();
    });
    const ends = Promise.allSettled(waiting);
    while (model.requests().length < 3) await fetch(`${model.url}/v1/unknown-but-quick`, { method: 'HEAD' });
    await model.close();
    expect((await ends).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await expect(fetch(model.url)).rejects.toThrow();
    await model.close();
  });
});
