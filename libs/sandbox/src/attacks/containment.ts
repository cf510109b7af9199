/** An expression that a process evaluates, and what it must come to: a value, or the code or name of an error. */
export type Attack = readonly [expression: string, outcome: unknown];

const refused = 'process_import_refused';
const denied = 'process_access_refused';

/** Ways out of the language that go by what objects, errors, modules and promises lead to. */
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
  'shared memory by structuredClone': [`structuredClone(new ArrayBuffer(8)).constructor.name`, 'ArrayBuffer'],
  'waiting without blocking': [`Atomics.waitAsync(new Int32Array(4), 0, 0)`, denied],
  'weak references': [`new WeakRef({})`, denied],
  'weak references of a signal': [
    `Object.getOwnPropertySymbols(AbortSignal.any([new AbortController().signal])).map((key) => AbortSignal.any([new AbortController().signal])[key]).filter((value) => value?.size > 0 && typeof [...value][0]?.deref === 'function').length`,
    0,
  ],
  'sites of the stack': [
    `(() => { Error.prepareStackTrace = (_, sites) => sites; const { stack } = new Error(); Error.prepareStackTrace = undefined; return stack.every((site) => site.getThis() === undefined && site.getFunction() === undefined && Object.isFrozen(site)); })()`,
    true,
  ],
  'sites of our own code': [
    `(() => { Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName()); const { stack } = new Error(); Error.prepareStackTrace = undefined; return stack.every((name) => name.startsWith(import.meta.url.replace(/[^/]*$/, ''))); })()`,
    true,
  ],
  'a hook of stacks in our code': [
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
  'emitters of Node.js by their first function': [
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
  'a getter in a request': [
    `ctx.step('getter', () => ({ get x() { return typeof this.constructor.constructor; } }))`,
    { x: 'function' },
  ],
  'a proxy in a result': [
    `ctx.step('proxy', () => new Proxy({}, { ownKeys: () => ['__proto__'], getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: { polluted: 1 } }), get: () => undefined })).then(() => ({}).polluted ?? 'clean')`,
    'clean',
  ],
  'a thenable that is asked twice': [
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
  'our folder of state by a listing': [
    `(await import('node:fs')).readdirSync(new URL('./.reins', import.meta.url))`,
    denied,
  ],
  'the environment of the owner': [`(await import('node:fs')).readFileSync('/proc/self/environ', 'utf8')`, denied],
};
