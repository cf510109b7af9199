import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import { LocalRun } from '@reins/replay';
import { Sandbox } from '../sandbox.ts';
import { AuthoredRun, outputOf } from '../testing/authored.ts';
import { CONTAINMENT } from './containment.ts';
import { DETERMINISM } from './determinism.ts';
import { PATCHED, PATCHING } from './patches.ts';

/** Without isolation by the operating system, so that only the language restricts the code. */
const sandbox = new Sandbox({ isolation: { backend: 'none', program: '', lacks: [] } });
afterAll(() => sandbox.close());

const FILES = {
  'data.json': '{"mine":true}',
  '.reins/secret': 'secret',
  '.reins/own.mjs': 'export default 1;',
  '.git/config': 'token',
  'runs/other/run.json': '{}',
  'runs/other/journal/1.json': '{}',
  'runs/other/inputs.json': '"secret"',
  'deep/er/.reins/secret': 'secret',
  'old.cjs': `module.exports = (name) => require(name);
    Object.assign(module.exports, { importOf: (name) => import(name), deepImportOf: (name) => (() => { return import(name); })() });
    Object.assign(module.exports, { requireOf: require, moduleOf: module, callerOf: function callerOf() { return String(callerOf.caller); } });`,
  'node_modules/pack/package.json':
    '{"name":"pack","exports":{".":"./index.js","./secret":"../../../place/secret.js"}}',
  'node_modules/pack/index.js': 'module.exports = 1;',
};

async function runOf(body: string): Promise<AuthoredRun> {
  const authored = await AuthoredRun.of(sandbox, body, FILES);
  const place = join(dirname(authored.root), 'place');
  mkdirSync(place);
  writeFileSync(join(place, 'index.mjs'), 'export default 1;');
  writeFileSync(join(place, 'secret.js'), 'module.exports = 1;');
  symlinkSync(place, join(authored.root, 'linked'));
  symlinkSync('.reins', join(authored.root, 'state-link'));
  return authored;
}

async function outcomeOf(body: string): Promise<unknown> {
  const local = await (await runOf(body)).create();
  await local.close();
  return outputOf(local);
}

const attempts = (attacks: Readonly<Record<string, string>>): string => `
  const results = {};
  async function attempt(name, work) {
    try { results[name] = await work(); } catch (error) { results[name] = error.code ?? error.name; }
  }
  ${Object.entries(attacks)
    .map(([name, code]) => `await attempt(${JSON.stringify(name)}, async () => ${code});`)
    .join('\n')}`;

describe('attempts to leave the language, without isolation by the operating system', () => {
  let results: JsonObject = {};
  beforeAll(async () => {
    const codes = Object.fromEntries(Object.entries(CONTAINMENT).map(([name, [code]]) => [name, code]));
    results = (await outcomeOf(`${attempts(codes)} return results;`)) as JsonObject;
  });

  test.each(Object.entries(CONTAINMENT))('%s', (name, [, outcome]) => {
    expect(results[name]).toEqual(outcome);
  });
});

describe('patches of builtins', () => {
  let [atLoad, inProcess]: [JsonObject, JsonObject] = [{}, {}];
  beforeAll(async () => {
    const authored = await runOf('');
    const source = `${PATCHING} const atLoad = { ...tried };
      export async function process() { ${PATCHING} return [atLoad, tried]; }`;
    writeFileSync(join(authored.root, 'main.mjs'), source);
    const local = await authored.create();
    await local.close();
    [atLoad, inProcess] = outputOf(local) as [JsonObject, JsonObject];
  });

  const names = PATCHED.map(([owner, member]) => `${owner}.${member}`);
  test.each(names)('%s, while modules are loaded', (name) => {
    expect(atLoad[name]).toEqual(['as before', 'process_import_refused']);
  });
  test.each(names)('%s, in the process', (name) => {
    expect(inProcess[name]).toEqual(['as before', 'process_import_refused']);
  });
});

describe('nondeterministic expressions', () => {
  let runs: JsonObject[] = [];
  beforeAll(async () => {
    const body = `${attempts(DETERMINISM)}
      await ctx.task({ id: 't', build: () => ({ kind: 'node' }) }, null);
      return results;`;
    const outcomes: JsonObject[] = [];
    for (const isReplayed of [false, true]) {
      const authored = await runOf(body);
      const now = () => new Date('2026-01-31T12:00:00.000Z');
      const options = { store: authored.store, run: authored.run, definition: await authored.definition(), now };
      let local = await LocalRun.create(options, { inputs: null });
      if (isReplayed) {
        await local.close();
        local = await LocalRun.open(options);
      }
      if (local.processState !== 'waiting') throw new Error(JSON.stringify(outputOf(local)));
      await local.post(local.pending[0]?.effectId as string, { status: 'ok', value: 1 });
      outcomes.push(outputOf(local) as JsonObject);
      await local.close();
    }
    runs = outcomes;
  });

  test.each(Object.keys(DETERMINISM))('%s', (name) => {
    const [first, replayed] = runs;
    expect(first).toHaveProperty([name]);
    expect(replayed?.[name]).toEqual(first?.[name]);
  });
});
