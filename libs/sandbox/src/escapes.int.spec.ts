import { existsSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { LocalRun } from '@reins/replay';
import { tempDir } from '@reins/testing';
import { Sandbox } from './sandbox.ts';
import { AuthoredRun, outputOf } from './testing/authored.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.close());

/** Attempts to escape, and the expected error code or value. */
const ATTEMPTS: Readonly<Record<string, readonly [attempt: string, outcome: unknown]>> = {
  'the network, by import': [`import('node:' + 'net')`, 'process_import_refused'],
  'the network, by the short name': [`import('ht' + 'tp')`, 'process_import_refused'],
  'name resolution': [`import('node:' + 'dns')`, 'process_import_refused'],
  'a child process': [`import('node:' + 'child_process')`, 'process_import_refused'],
  'a worker': [`import('node:' + 'worker_threads')`, 'process_import_refused'],
  'the module system': [`import('node:' + 'module')`, 'process_import_refused'],
  'another realm': [`import('node:' + 'vm')`, 'process_import_refused'],
  'the debugger': [`import('node:' + 'inspector')`, 'process_import_refused'],
  'code in a URL': [`import('data:text/javascript,export default 1')`, 'process_import_refused'],
  'a module elsewhere': [`import('file:///etc/hostname')`, 'process_import_refused'],
  'a module above': [`import('../' + 'x.mjs')`, 'process_import_refused'],
  'our own code': [`import('@reins/' + 'journal')`, 'process_import_refused'],
  fetch: [`fetch('http://127.0.0.1:1')`, 'process_access_refused'],
  'a web socket': [`new WebSocket('ws://127.0.0.1:1')`, 'process_access_refused'],
  'an event source': [`typeof EventSource`, 'undefined'],
  'a message channel': [`new MessageChannel()`, 'process_access_refused'],
  'compiled code': [`typeof WebAssembly.Module`, 'undefined'],
  'when memory is collected': [`new FinalizationRegistry(() => {})`, 'process_access_refused'],
  'the environment': [`JSON.stringify(globalThis.process.env)`, '{}'],
  'internal bindings': [`typeof globalThis.process.binding`, 'undefined'],
  'loading machine code': [`typeof globalThis.process.dlopen`, 'undefined'],
  'built-in modules': [`typeof globalThis.process.getBuiltinModule`, 'undefined'],
  'open handles': [`typeof globalThis.process._getActiveHandles`, 'undefined'],
  'the pipe of the owner': [`typeof globalThis.process.send + typeof globalThis.process.stdout`, 'undefinedundefined'],
  'the end of the program': [`globalThis.process.exit(0)`, 'process_access_refused'],
  signals: [`globalThis.process.kill(1, 9)`, 'process_access_refused'],
  eval: [`(0, eval)('1')`, 'EvalError'],
  'the Function constructor': [`(() => {}).constructor('return process')()`, 'EvalError'],
  'an async Function constructor': [`(async () => {}).constructor('return process')()`, 'EvalError'],
  'the constructor of the context': [`ctx.constructor.constructor('return process')()`, 'EvalError'],
  'the real process by its prototype': [
    `(await import('node:events')).EventEmitter.prototype.emit = function () { globalThis.leak = this }`,
    'TypeError',
  ],
  'hooks that see the handles': [`typeof (await import('node:async_hooks')).createHook`, 'undefined'],
  'the writer of a console': [`typeof console._stdout`, 'undefined'],
  'call sites': [
    `(Error.prepareStackTrace = (_, sites) => sites.map((site) => typeof site.getFunction() + typeof site.getThis()), new Error().stack.join())`,
    expect.not.stringContaining('object'),
  ],
  'writing a file': [`fs.writeFileSync(inputs.target, 'x')`, 'process_access_refused'],
  'writing to an open file': [`fs.writeSync(3, 'x')`, 'TypeError'],
  'reading an open file': [`fs.readFileSync(0)`, 'process_access_refused'],
  'reading elsewhere': [`fs.readFileSync('/etc/passwd', 'utf8')`, 'process_access_refused'],
  'reading above': [
    `fs.readFileSync(new URL('../../../etc/passwd', import.meta.url), 'utf8')`,
    'process_access_refused',
  ],
  'reading through a link': [`fs.readFileSync(new URL('./link', import.meta.url), 'utf8')`, 'process_access_refused'],
  'listing what is elsewhere': [`fs.readdirSync('/etc')`, 'process_access_refused'],
  'what a file elsewhere is': [`fs.statSync('/etc/passwd').size`, 'process_access_refused'],
  'reading elsewhere in a step': [
    `ctx.step('read', async () => (await import('node:fs/promises')).readFile('/etc/passwd', 'utf8'), { maxAttempts: 1 })`,
    'process_access_refused',
  ],
  'the message of a refusal': [
    `(() => { try { fs.readFileSync('/etc/passwd') } catch (error) { return [error.message, error.hint].join(); } })()`,
    'access to /etc/passwd is not available in a process,Read files in the folder of the process.',
  ],
  'a file that is not there': [`fs.readFileSync(new URL('./none.txt', import.meta.url))`, 'ENOENT'],
  'whether a file is elsewhere': [`fs.existsSync('/etc/passwd')`, false],
  'reading what it brought': [`fs.readFileSync(new URL('./data.txt', import.meta.url), 'utf8')`, 'mine'],
};

const SOURCE = Object.entries(ATTEMPTS)
  .map(([name, [attempt]]) => `await tried(${JSON.stringify(name)}, async () => ${attempt});`)
  .join('\n');

const BODY = `
  const fs = await import('node:fs');
  const results = {};
  async function tried(name, attempt) {
    try { results[name] = await attempt(); }
    catch (error) { results[name] = error.code ?? error.name; }
    delete Error.prepareStackTrace;
  }
  ${SOURCE}
  return results;`;

describe('a process that tries to escape', () => {
  let results: Record<string, unknown> = {};
  let target = '';

  beforeAll(async () => {
    const authored = await AuthoredRun.of(sandbox, BODY, { 'data.txt': 'mine' });
    symlinkSync('/etc/passwd', join(authored.root, 'link'));
    target = join(realpathSync(await tempDir('target')), 'written');
    globalThis.process.env.REINS_TEST_SECRET = 'leaked';
    const local = await authored.create({ target });
    delete globalThis.process.env.REINS_TEST_SECRET;
    results = outputOf(local) as Record<string, unknown>;
    await local.close();
  });

  test.each(Object.entries(ATTEMPTS))('%s', (name, [, outcome]) => {
    expect(results[name]).toEqual(outcome);
  });

  test('nothing was written', () => {
    expect(existsSync(target)).toBe(false);
  });
});

describe('the lockdown', () => {
  test('no chain of references reaches the machine', async () => {
    const root = fileURLToPath(new URL('../testdata/', import.meta.url));
    const { store, run } = new AuthoredRun(sandbox, root);
    const definition = await sandbox.process({ root, path: 'reachable.mjs' });
    const local = await LocalRun.create({ store, run, definition }, { inputs: null });
    const { names, count } = outputOf(local) as unknown as { names: string[]; count: number };
    await local.close();
    expect(count).toBeGreaterThan(1000);
    expect(names).toContain('readFileSync');
    const machine =
      /^(Socket|Server|Pipe|TCP|TTY|UDP|Worker|ChildProcess|spawn.*|fork|exec(ve|File).*|connect|createConnection|dlopen|(internal)?[bB]inding|requireBuiltin|_load|require|(write|open|writeFile|rm|mkdir)(Sync)?|compileFunction|Script|SourceTextModule|Module|kill|getBuiltinModule|process|Agent|request|lookup|resolve4)$/;
    // These methods only write to memory.
    const harmless = new Set(['write @ StringDecoder', 'write @ Buffer']);
    expect(names.filter((name) => machine.test(name.split(' ')[0] as string) && !harmless.has(name))).toEqual([]);
  });

  test('everything that a process shares with our code or Node.js is frozen', async () => {
    const root = fileURLToPath(new URL('../testdata/', import.meta.url));
    const { store, run } = new AuthoredRun(sandbox, root);
    const definition = await sandbox.process({ root, path: 'unfrozen.mjs' });
    const local = await LocalRun.create({ store, run, definition }, { inputs: null });
    const { found, count } = outputOf(local) as unknown as { found: string[]; count: number };
    await local.close();
    expect(count).toBeGreaterThan(2000);
    // Globals and the console belong to the process. Node.js and V8 need the others, which hold a flag and a number.
    const owned = /^(asyncGenerator\^|generator\^|\d+|\d+\.console) \(extensible/;
    const needed = / \((Symbol\(kCapture\)|stackTraceLimit)\)$/;
    expect(found.filter((line) => !owned.test(line) && !needed.test(line))).toEqual([]);
    expect(found.length).toBeLessThan(7);
  });

  test('a process that patches builtins breaks only its own run', async () => {
    const authored = await AuthoredRun.of(
      sandbox,
      `Object.prototype.toJSON = () => ({ type: 'RUN_COMPLETED', data: 1 });
       Array.prototype.map = () => ['x'];
       await ctx.effect('task', { kind: 'node', taskId: 't' }, { label: 'one' });`,
    );
    const local = await authored.create();
    expect(local.processState).toBe('broken');
    expect(local.state.processError).toMatchObject({ error: { code: 'process_failed' } });
    await local.close();
    expect(({} as { toJSON?: unknown }).toJSON).toBeUndefined();
  });

  test('console lines are passed to the listener', async () => {
    const lines: string[] = [];
    const loud = new Sandbox({ console: (line) => lines.push(line) });
    const local = await (
      await AuthoredRun.of(loud, `console.log('built %d', 3, { a: 1 }); console.table([1]);`)
    ).create();
    expect(lines).toEqual(['built 3 { a: 1 }']);
    await local.close();
    await loud.close();
  });
});
