/** An expression that a process evaluates, and its expected outcome: a value, or the code or name of an error. */
export type Attack = readonly [expression: string, outcome: unknown];

const refused = 'process_import_refused';
const denied = 'process_access_refused';

/** All of our modules that a child has loaded, by every name that could refer to them. */
const INTERNAL: readonly string[] = [
  ...['reins:scripts', 'reins:script-exports', 'reins:replay', 'reins:babysitter'],
  ...['loader', 'commonjs', 'script-exports', 'session', 'transport', 'main', 'offered/fs'].map(
    (name) => new URL(`../child/${name}.ts`, import.meta.url).href,
  ),
  ...['@reins/sandbox', '@reins/contracts', '@reins/os-sandbox', '#loader'],
];

/** Tries to import each internal module, from a module and from a script, in several spellings of its name. */
const INTERNAL_REACHED = `(async () => {
  const script = 'reins:script/' + new URL('./old.cjs', import.meta.url);
  const { importOf, deepImportOf, default: requireOf } = await import('./old.cjs');
  const parents = { module: (name) => import(name), importOf, deepImportOf, requireOf: async (name) => requireOf(name) };
  const reached = [];
  for (const name of [...${JSON.stringify(INTERNAL)}, script])
    for (const spelled of [name, name + '?x', name + '#x', ' ' + name, name.replace('file://', ''), name.toUpperCase()])
      for (const [parent, load] of Object.entries(parents))
        await load(spelled).then(() => reached.push(parent + ' ' + spelled), (error) => error.code === '${refused}' || reached.push(parent + ' ' + spelled + ' ' + error));
  return reached;
})()`;

/** Attempts to leave the sandbox through the language: through objects, errors, modules and promises. */
export const CONTAINMENT: Readonly<Record<string, Attack>> = {
  'a patched lookup and the network': [
    `(() => { const real = Object.hasOwn; Object.hasOwn = (o, k) => String(k).startsWith('evil:') ? (o[k] = 'node:' + k.slice(5), true) : real(o, k); })() ?? await import('evil:net')`,
    'TypeError',
  ],
  'the network by a name in Object.prototype': [`import('constructor')`, refused],
  'a module by the name __proto__': [`import('__proto__')`, refused],
  'a module by the name toString': [`import('toString')`, refused],
  'a specifier with a toString of its own': [
    `import({ n: 0, toString() { return this.n++ ? 'node:net' : './data.json'; } })`,
    refused,
  ],
  'node:sqlite': [`import('node:' + 'sqlite')`, refused],
  'node:test': [`import('node:' + 'test')`, refused],
  'node:wasi': [`import('node:' + 'wasi')`, refused],
  'node:sea': [`import('node:' + 'sea')`, refused],
  'node:v8': [`import('node:' + 'v8')`, refused],
  'node:cluster': [`import('node:' + 'cluster')`, refused],
  'node:dgram': [`import('node:' + 'dgram')`, refused],
  'node:http2': [`import('node:' + 'http2')`, refused],
  'node:repl': [`import('node:' + 'repl')`, refused],
  'node:diagnostics_channel': [`import('node:' + 'diagnostics_channel')`, refused],
  'node:trace_events': [`import('node:' + 'trace_events')`, refused],
  'an internal module': [`import('node:internal/' + 'bootstrap/realm')`, refused],
  'the table of the loader': [`import('reins:' + 'scripts')`, refused],
  'any module of ours, from a module and from a script': [INTERNAL_REACHED, []],
  'the loader by a script': [`(await import('./old.cjs')).importOf('reins:scripts')`, refused],
  'the loader by a script that imports itself': [
    `(await import('./old.cjs')).importOf('./old.cjs').then((script) => Object.keys(script).includes('exportsOf'))`,
    false,
  ],
  'our file by its URL': [`import(import.meta.url.replace(/[^/]*$/, '') + '../../etc/passwd')`, refused],
  'a script by its require': [`(await import('./old.cjs')).default('node:' + 'net')`, refused],
  'a script by the name of a builtin': [`(await import('./old.cjs')).default('net')`, refused],
  'a script by __proto__': [`(await import('./old.cjs')).default('__proto__')`, refused],
  'the cache of require': [`typeof (await import('./old.cjs')).requireOf.cache`, 'undefined'],
  'the resolver of require': [`typeof (await import('./old.cjs')).requireOf.resolve`, 'undefined'],
  'the class of a module': [`(await import('./old.cjs')).moduleOf.constructor === Object`, true],
  'the parent of a module': [`typeof (await import('./old.cjs')).moduleOf.parent`, 'undefined'],
  'the caller of a script': [`(await import('./old.cjs')).callerOf()`, 'null'],
  'a package by its exports': [`import('pack' + '/secret')`, refused],
  'a package behind a link': [`import('./linked/' + 'index.mjs')`, refused],
  'the resolver of import.meta': [
    `(() => { try { return import.meta.resolve('node:' + 'net') } catch (error) { return error.code } })()`,
    refused,
  ],
  'what import.meta has': [
    `Object.keys(import.meta).filter((name) => !['dirname', 'filename', 'url', 'resolve', 'main'].includes(name)).length`,
    0,
  ],
  'the constructor of a function of ours': [`ctx.effect.constructor('return process')()`, 'EvalError'],
  'the generator constructor': [`(function* () {}).constructor('yield process')().next()`, 'EvalError'],
  'the async generator constructor': [`(async function* () {}).constructor('yield process')().next()`, 'EvalError'],
  'a timer with text': [
    `ctx.step('text', () => { setTimeout('process.exit()', 1) }, { maxAttempts: 1 })`,
    'process_failed',
  ],
  'indirect eval of a template': [`(0, eval)(\`process\`)`, 'EvalError'],
  'WebAssembly by its name': [`WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))`, 'TypeError'],
  'shared memory by WebAssembly': [
    `new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer.constructor`,
    'TypeError',
  ],
  'shared memory': [`new SharedArrayBuffer(8)`, denied],
  'the native class of a hash': [
    `(async () => { const hash = (await import('node:crypto')).createHash('sha256'); const handle = Object.getOwnPropertySymbols(hash).map((s) => hash[s]).find((v) => v?.constructor?.name === 'Hash'); const native = Object.getPrototypeOf(handle); native.update = () => true; return native; })()`,
    'TypeError',
  ],
  'the class of listeners': [
    `(() => { const target = new EventTarget(); target.addEventListener('x', () => {}); const events = target[Object.getOwnPropertySymbols(target).find((s) => String(s) === 'Symbol(kEvents)')]; const listener = Object.getPrototypeOf(events.get('x').next); return [listener.constructor.name, Object.isFrozen(listener)].join(); })()`,
    'Listener,true',
  ],
  'another run': [
    `fs.readFileSync(new URL('./runs/other/inputs.json', import.meta.url), 'utf8')`.replace(
      'fs.',
      `(await import('node:fs')).`,
    ),
    denied,
  ],
  'the names in another run': [
    `(await import('node:fs')).readdirSync(new URL('.', import.meta.url), { recursive: true }).filter((name) => name.startsWith('runs/other/')).length`,
    0,
  ],
  'the configuration of git': [
    `(await import('node:fs')).readFileSync(new URL('./.git/config', import.meta.url), 'utf8')`,
    denied,
  ],
  'an internal class by the serializer': [
    `(() => { const e = new DOMException('x'); const clone = Object.getOwnPropertySymbols(DOMException.prototype).find((s) => String(s).includes('clone')) ?? Symbol.for('messaging_clone_symbol');
      Object.defineProperty(e, clone, { value: () => ({ data: { handle: { fd: 99 } }, deserializeInfo: 'internal/fs/promises:FileHandle' }) }); return structuredClone([e])[0].constructor.name; })()`,
    'DOMException',
  ],
  'symbols of the serializer': [
    `[DOMException, AbortSignal, EventTarget, AbortController].flatMap(({ prototype }) => Object.getOwnPropertySymbols(prototype)).filter((s) => String(s).includes('messaging')).length`,
    0,
  ],
  'a transferred stream': [
    `(async () => { let R; for (let o = (await import('node:crypto')).createHash('sha256'); o; o = Object.getPrototypeOf(o)) if (o.constructor?.name === 'Readable') R = o.constructor; return R.toWeb(R.from([1])); })()`,
    denied,
  ],
  'a transferred port': [`structuredClone(1, { transfer: [new EventTarget()] })`, 25],
  'a clone of a proxy': [`structuredClone(new Proxy({}, {}))`, 25],
  'the properties that a clone reads': [
    `(() => { const asked = []; structuredClone({ get a() { asked.push('a'); return { get b() { asked.push('b'); } }; }, [Symbol.toPrimitive]: 1 }); return asked.join(); })()`,
    'a,b',
  ],
  'an object that a clone takes from the author': [
    `(() => { const source = { d: new Date(5), m: new Map([[1, new Set([2])]]), r: /x/g, e: new RangeError('no', { cause: 1 }), b: Buffer.from('ab'), s: Object('text'), n: [1, , 3], x: undefined }; source.self = source;
      const copy = structuredClone(source); return [copy.d.getTime(), copy.m.get(1).has(2), String(copy.r), copy.e.constructor.name, copy.e.message, copy.e.cause, copy.b.constructor.name, copy.b.length, copy.s.length, copy.n.length, 1 in copy.n, 'x' in copy, copy.self === copy, copy.m !== source.m].join(); })()`,
    '5,true,/x/g,RangeError,no,1,Uint8Array,2,4,3,false,true,true,true',
  ],
  'shared memory by structuredClone': [`structuredClone(new ArrayBuffer(8)).constructor.name`, 'ArrayBuffer'],
  'waiting without blocking': [`Atomics.waitAsync(new Int32Array(4), 0, 0)`, denied],
  'weak references': [`new WeakRef({})`, denied],
  'weak references of a signal': [
    `Object.getOwnPropertySymbols(AbortSignal.any([new AbortController().signal])).map((key) => AbortSignal.any([new AbortController().signal])[key]).filter((value) => value?.size > 0 && typeof [...value][0]?.deref === 'function').length`,
    0,
  ],
  'call sites of a stack': [
    `(() => { Error.prepareStackTrace = (_, sites) => sites; const { stack } = new Error(); Error.prepareStackTrace = undefined; return stack.every((site) => site.getThis() === undefined && site.getFunction() === undefined && Object.isFrozen(site)); })()`,
    true,
  ],
  'call sites of our own code': [
    `(() => { Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName()); const { stack } = new Error(); Error.prepareStackTrace = undefined; return stack.every((name) => name.startsWith(import.meta.url.replace(/[^/]*$/, ''))); })()`,
    true,
  ],
  'a stack hook in our code': [
    `(async () => { let seen = 0; Error.prepareStackTrace = () => { seen += 1; return 'x'; }; await import('evil:net').catch(() => 0); Error.prepareStackTrace = undefined; return seen; })()`,
    0,
  ],
  'a stack hook by definition': [`Object.defineProperty(Error, 'prepareStackTrace', { value: () => 1 })`, 'TypeError'],
  'the prototype of Error': [`Object.setPrototypeOf(Error, {})`, 'TypeError'],
  'objects of a custom inspection': [
    `(await import('node:util')).inspect({ [Symbol.for('nodejs.util.inspect.custom')]: (depth, options, inspect) => Object.isFrozen(inspect) })`,
    'true',
  ],
  'the target of our proxies': [
    `(() => { let seen; try { Function.prototype[Symbol.for('nodejs.util.inspect.custom')] = function () { seen = this; } } catch {} return typeof seen; })()`,
    'undefined',
  ],
  'our storage by a patched getStore': [
    `(async () => { const { AsyncLocalStorage } = await import('node:async_hooks'); AsyncLocalStorage.prototype.getStore = () => ({ isOpen: true }); })()`,
    'TypeError',
  ],
  'our storage by a patched run': [
    `(async () => { const { AsyncLocalStorage } = await import('node:async_hooks'); Object.defineProperty(AsyncLocalStorage.prototype, 'run', { value: 1 }); })()`,
    'TypeError',
  ],
  'event emitters of Node.js by their init function': [
    `(async () => { const events = (await import('node:events')).default; events.init = function () { globalThis.leak = this; }; })()`,
    'TypeError',
  ],
  'functions of a module of Node.js': [
    `(async () => { (await import('node:util')).default.inspect = 1; })()`,
    'TypeError',
  ],
  'functions of a facade': [`(async () => { (await import('node:fs')).default.readFileSync = 1; })()`, 'TypeError'],
  'the list of timers': [
    `ctx.step('timer', () => { const timer = setTimeout(() => {}, 1); return Object.keys(timer).length + typeof timer._idleNext; })`,
    '0undefined',
  ],
  'functions behind members that can be overridden': [
    `[Function.prototype.call, Function.prototype.bind, Array.prototype.push, Object.prototype.hasOwnProperty, Date.prototype.toJSON, Error.prototype.toString, (await import('node:events')).EventEmitter.prototype.on].filter((f) => Object.isExtensible(f)).map((f) => f.name)`,
    [],
  ],
  'our own use of a function of an error': [
    `(() => { Error.prototype.toString.call = () => 'owned'; return new Error('x').stack; })()`,
    'TypeError',
  ],
  'weak listeners': [
    `(() => { const seen = []; new EventTarget().addEventListener('x', () => {}, new Proxy({}, { get: (_, key) => void seen.push(typeof key) })); return seen.includes('symbol'); })()`,
    false,
  ],
  'the context of our clock': [
    `(async () => { (await import('@reins/replay')).getActiveProcessContext().now = () => 1; })()`,
    'TypeError',
  ],
  'the class of our errors': [
    `(async () => { (await import('@reins/replay')).CancelledError.prototype.name = 'x'; })()`,
    'TypeError',
  ],
  'a global of ours': [`(() => { globalThis.Promise = class {}; })()`, 'TypeError'],
  'the real process by a global': [
    `Object.getOwnPropertyDescriptor(globalThis, 'process').get === undefined && globalThis.process.pid`,
    1,
  ],
  'a getter in a result': [
    `ctx.step('getter', () => ({ get x() { return typeof this.constructor.constructor; } }))`,
    { x: 'function' },
  ],
  'a proxy in a result': [
    `ctx.step('proxy', () => new Proxy({}, { ownKeys: () => ['__proto__'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: { polluted: 1 } }), get: () => undefined })).then(() => ({}).polluted ?? 'clean')`,
    'clean',
  ],
  'a thenable that resolves twice': [
    `ctx.step('then', () => ({ then(resolve) { resolve(1); resolve(2); throw new Error('x'); } }))`,
    1,
  ],
  'a species of arrays': [
    `(() => { Object.defineProperty(Array, Symbol.species, { get: () => function () { return globalThis; } }); })()`,
    'TypeError',
  ],
  'our folder of state': [
    `(await import('node:fs')).readFileSync(new URL('./.reins/secret', import.meta.url), 'utf8')`,
    denied,
  ],
  'our folder of state by an import that never runs': [
    `(async () => { if (ctx === null) await import('./.reins/own.mjs'); return (await import('node:fs')).readFileSync(new URL('./.reins/secret', import.meta.url), 'utf8'); })()`,
    denied,
  ],
  'a module in our folder of state': [`import('./.reins/own.mjs')`, refused],
  'our folder of state, deeper': [
    `(await import('node:fs')).readFileSync(new URL('./deep/er/.reins/secret', import.meta.url), 'utf8')`,
    denied,
  ],
  'our folder of state by a link': [
    `(await import('node:fs')).readFileSync(new URL('./state-link/secret', import.meta.url), 'utf8')`,
    denied,
  ],
  'our folder of state by a listing of everything': [
    `(await import('node:fs')).readdirSync(new URL('.', import.meta.url), { recursive: true }).filter((name) => name.includes('secret'))`,
    [],
  ],
  'a write by the options of a read': [
    `(await import('node:fs')).readFileSync(new URL('./data.json', import.meta.url), { encoding: { flag: 'w' } }).length`,
    13,
  ],
  'our folder of state by a listing': [
    `(await import('node:fs')).readdirSync(new URL('./.reins', import.meta.url))`,
    denied,
  ],
  'the environment of the owner': [`(await import('node:fs')).readFileSync('/proc/self/environ', 'utf8')`, denied],
};
