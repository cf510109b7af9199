import * as assert from 'node:assert';
import * as hooks from 'node:async_hooks';
import * as buffer from 'node:buffer';
import * as crypto from 'node:crypto';
import * as events from 'node:events';
import * as fs from 'node:fs';
import * as fsPromises from 'node:fs/promises';
import * as path from 'node:path';
import * as perf from 'node:perf_hooks';
import * as processModule from 'node:process';
import * as querystring from 'node:querystring';
import * as decoder from 'node:string_decoder';
import * as timers from 'node:timers';
import * as url from 'node:url';
import * as util from 'node:util';
import * as babysitter from '@a5c-ai/babysitter-sdk';
import * as replay from '@reins/replay';

const MODULES = [babysitter, replay, assert, hooks, buffer, crypto, events, fs, fsPromises, path, perf, processModule];
const MORE = [querystring, decoder, timers, url, util, globalThis];

/** The places of all objects that a process shares with our code or with Node.js, and that it could change. */
export async function process(_inputs, ctx) {
  return ctx.step('look around', async () => {
    const samples = {
      generator: (function* () {})(),
      asyncGenerator: (async function* () {})(),
      iterators: [[].values(), new Map().entries(), new Set().values(), 'x'[Symbol.iterator](), 'x'.matchAll(/x/g), [].values().map(String)],
      url: new URL('file:///x').searchParams.entries(),
      signal: AbortSignal.any([AbortSignal.timeout(1000), new AbortController().signal]),
      event: new CustomEvent('x'),
      target: new EventTarget(),
      emitter: new events.EventEmitter(),
      hash: crypto.createHash('sha256'),
      hmac: crypto.createHmac('sha256', ''),
      decoder: new TextDecoder(),
      encoder: new TextEncoder(),
      storage: new hooks.AsyncLocalStorage(),
      resource: new hooks.AsyncResource('x'),
      timer: setTimeout(() => undefined, 1),
      immediate: setImmediate(() => undefined),
      segments: new Intl.Segmenter('en').segment('x'),
      context: replay.getActiveProcessContext(),
      errors: [new Error('x'), attempt(() => null.x), attempt(() => fs.readFileSync('/none')), attempt(() => new URL('')), attempt(() => fetch())],
      cloned: structuredClone(new Error('x')),
      mime: new util.MIMEType('text/plain'),
      promised: util.promisify((done) => done()),
    };
    // What belongs to a sample is its own; what it inherits from is shared.
    const roots = Object.entries(samples).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).flatMap((each) => inherited(name, each)));
    return unfrozen([...roots, ...[...MODULES, ...MORE].map((value, at) => [`${at}`, value])]);
  });
}

function attempt(work) {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

function inherited(name, value) {
  const found = [];
  for (let at = Object.getPrototypeOf(Object(value)); at; at = Object.getPrototypeOf(at)) found.push([`${name}^`, at]);
  return found;
}

function unfrozen(roots) {
  const seen = new Set();
  const open = roots;
  const found = [];
  while (open.length > 0) {
    const [name, value] = open.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    const isFixed = Object.isFrozen(value) || util.types.isModuleNamespaceObject(value) || ArrayBuffer.isView(value);
    if (!isFixed) found.push(`${name} (${changeable(value)})`);
    for (const key of Reflect.ownKeys(value)) {
      const { get, set, value: member } = Object.getOwnPropertyDescriptor(value, key);
      open.push([`${name}.${String(key)}`, member], [`get ${name}.${String(key)}`, get], [`set ${name}.${String(key)}`, set]);
    }
    open.push([`${name}^`, Object.getPrototypeOf(value)]);
  }
  return { count: seen.size, found };
}

const changeable = (value) =>
  [...(Object.isExtensible(value) ? ['extensible'] : []), ...Reflect.ownKeys(value).filter((key) => {
    const { writable, configurable } = Object.getOwnPropertyDescriptor(value, key);
    return writable || configurable;
  }).map(String)].slice(0, 6).join();
