import * as assert from 'node:assert';
import * as hooks from 'node:async_hooks';
import * as buffer from 'node:buffer';
import * as crypto from 'node:crypto';
import * as events from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as perf from 'node:perf_hooks';
import * as processModule from 'node:process';
import * as querystring from 'node:querystring';
import * as decoder from 'node:string_decoder';
import * as timers from 'node:timers';
import * as url from 'node:url';
import * as util from 'node:util';

const MODULES = { assert, hooks, buffer, crypto, events, fs, path, perf, processModule, querystring, decoder, timers, url, util };

/** Ways to call something without knowing what it is. */
const ARGUMENTS = [[], ['x'], [[], 'x'], [1, 2]];

/** Calls and makes whatever there is, and says all that can be seen of what comes of it; the second time after an answer. */
export async function process(_inputs, ctx) {
  const first = await observed();
  await ctx.task({ id: 't', build: () => ({ kind: 'node' }) }, null);
  return [first, await observed()];
}

async function observed() {
  const seen = {};
  const see = (name, value) => told(seen, name, value, 0);
  for (const name of Object.getOwnPropertyNames(globalThis)) called(see, name, globalThis[name]);
  for (const [name, all] of Object.entries(MODULES)) for (const key of Object.keys(all)) called(see, `${name}.${key}`, all[key]);
  for (const [name, value] of Object.entries(await special())) see(name, value);
  return seen;
}

/** What takes more than a call. */
async function special() {
  const controller = new AbortController();
  const aborted = new Promise((resolve) => controller.signal.addEventListener('abort', resolve));
  controller.abort('why');
  const dispatched = [];
  const target = new EventTarget();
  target.addEventListener('x', (event) => dispatched.push(event.timeStamp, util.inspect(event)));
  target.dispatchEvent(new CustomEvent('x', { detail: 1 }));
  const bytes = Buffer.from('abc');
  const hash = crypto.createHash('sha256').update('x').digest();
  const file = fs.readFileSync(new URL('./observable.mjs', import.meta.url));
  return {
    aborted: await aborted,
    any: AbortSignal.any([controller.signal]),
    dispatched,
    pool: [bytes.byteOffset, bytes.buffer.byteLength, Buffer.concat([bytes]).byteOffset, Buffer.from([1]).buffer.byteLength],
    buffers: [hash.byteOffset, hash.buffer.byteLength, file.byteOffset, Buffer.allocUnsafe(9).toString('hex')],
    dates: [Date(), new Date(), Reflect.construct(Date, []), new (class extends Date {})(), Date.now(), new Date().toLocaleString()],
    now: [new Intl.DateTimeFormat('en', { timeStyle: 'full' }).format(), new Intl.DateTimeFormat('en', { fractionalSecondDigits: 3 }).formatToParts()],
    bound: hooks.AsyncLocalStorage.bind(() => 1),
    waited: attempt(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)),
    clone: structuredClone({ at: new Date(), error: 1 }),
    inherited: Object.getOwnPropertyNames(Event).map((name) => Event[name]),
  };
}

function called(see, name, value) {
  see(name, value);
  if (typeof value !== 'function' || SKIPPED.has(name)) return;
  for (const given of ARGUMENTS) {
    see(`${name}(${given})`, attempt(() => value(...given)));
    see(`new ${name}(${given})`, attempt(() => new value(...given)));
    for (const [key, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(value)))
      if (typeof method === 'function' && !/^(?:[a-z]+\.)?prototype$/.test(key)) see(`${name}.${key}(${given})`, attempt(() => method.apply(value, given)));
  }
}

/** What changes the world that is looked at. */
const SKIPPED = new Set(['Object.freeze', 'events.init', 'events.setMaxListeners']);

function told(seen, name, value, depth) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    seen[name] = typeof value === 'symbol' ? value.toString() : `${value}`;
    return;
  }
  if (depth === 0 && typeof value === 'object') seen[`inspect ${name}`] = attempt(() => util.inspect(value, { depth: 1, showHidden: true }));
  if (depth > 2 || ArrayBuffer.isView(value)) return;
  for (let at = value; at && at !== Object.prototype && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    for (const key of Reflect.ownKeys(at)) {
      if (key === 'stack' || key === 'message') continue;
      told(seen, `${name}.${key.toString()}`, attempt(() => value[key]), depth + 1);
    }
    if (typeof value === 'function') return;
  }
  for (const key of ['next', 'asyncId', 'triggerAsyncId', 'now', 'format'])
    if (attempt(() => typeof value[key]) === 'function') told(seen, `${name}.${key}()`, attempt(() => value[key]()), depth + 1);
}

function attempt(work) {
  try {
    return work();
  } catch (error) {
    return `throws ${error?.name} ${error?.code}`;
  }
}
