import assert from 'node:assert';
import { AsyncLocalStorage } from 'node:async_hooks';
import buffer from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';
import { EventEmitter, on } from 'node:events';
import path from 'node:path';
import querystring from 'node:querystring';
import stringDecoder from 'node:string_decoder';
import url from 'node:url';
import util from 'node:util';
import { allowOverrides } from './harden.ts';

/** The modules of Node.js that a process gets unchanged. */
export const SHARED_MODULES: readonly object[] = [
  assert,
  buffer,
  EventEmitter,
  path,
  querystring,
  stringDecoder,
  url,
  util,
];

const prototypesOf = (value: unknown): object[] => {
  const found: object[] = [];
  for (let at = Object.getPrototypeOf(value); at !== null; at = Object.getPrototypeOf(at)) found.push(at);
  return found;
};

/** Prototypes that are reachable only through an object of their class, and not through a global. */
export function hiddenPrototypes(): object[] {
  function* generator() {}
  async function* asyncGenerator() {}
  const matched = 'x'.matchAll(/x/g);
  const segments = new Intl.Segmenter('en').segment('x');
  const search = new URLSearchParams('a=1');
  const inherited = Iterator as unknown as { from(value: object): object };
  const samples: unknown[] = [
    ...[generator, generator(), asyncGenerator, asyncGenerator(), async () => undefined],
    ...[[].values(), new Map().entries(), new Set().values(), 'x'[Symbol.iterator](), matched],
    ...[inherited.from({ next: () => ({ done: true, value: undefined }) }), [].values().map(String)],
    ...[segments, segments[Symbol.iterator](), search.entries(), new Uint8Array()],
    ...[createHash('sha256'), createHmac('sha256', ''), new stringDecoder.StringDecoder()],
    ...[new AsyncLocalStorage(), new AbortController().signal, new CustomEvent('x'), on(new EventEmitter(), 'x')],
    ...[callSite(), Promise.resolve(), new Error('x'), new TextEncoder(), new TextDecoder()],
  ];
  return [
    ...[...samples, ...samples.flatMap(membersOf)].flatMap((sample) =>
      sample === undefined ? [] : prototypesOf(sample),
    ),
    ...accessorsOf(new Error('x')),
    ...listenerPrototypes(),
  ];
}

/** Values that Node.js keeps in an object under internal symbols, for example handles and states. */
const membersOf = (sample: unknown): unknown[] =>
  typeof sample !== 'object' || sample === null
    ? []
    : Object.getOwnPropertySymbols(sample)
        .map((name) => (sample as Record<symbol, unknown>)[name])
        .filter((member) => typeof member === 'object' && member !== null);

function listenerPrototypes(): object[] {
  const target = new EventTarget();
  target.addEventListener('x', () => undefined);
  // Their class has no base class.
  const tables = membersOf(target).filter((member) => util.types.isMap(member));
  const roots = tables.flatMap((table) => [...Map.prototype.values.call(table)]) as { next?: object }[];
  return roots.flatMap(({ next }) => (next ? prototypesOf(next) : []));
}

/** The accessors of `stack` are own properties of every error, and not of a prototype. */
function accessorsOf(error: Error): object[] {
  const { get, set } = Object.getOwnPropertyDescriptor(error, 'stack') ?? {};
  return [get, set].filter((accessor) => accessor !== undefined);
}

function callSite(): unknown {
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (_, sites) => sites;
  const [site] = new Error('x').stack as unknown as readonly unknown[];
  Error.prepareStackTrace = prepareStackTrace;
  return site;
}

/**
 * Names that programs override by assignment. `Object.prototype.constructor` is not included: as an accessor it would
 * change how `util.inspect` shows every object.
 */
const OBJECT = ['hasOwnProperty', 'isPrototypeOf', 'propertyIsEnumerable', 'toLocaleString', 'toString', 'valueOf'];

/**
 * Allows the usual overrides: members of errors, emitters and streams, and `toString` and similar methods of objects.
 */
export function allowUsualOverrides(): void {
  allowOverrides(Object.prototype, OBJECT);
  allowOverrides(Function.prototype, ['apply', 'bind', 'call', 'toString']);
  allowOverrides(Array.prototype, ['concat', 'push', 'toString']);
  for (const { prototype } of [Date, RegExp, Promise, Map, Set, URL]) allowOverrides(prototype, ['toString', 'toJSON']);
  const streams = [createHash('sha256'), createHmac('sha256', '')].flatMap(prototypesOf);
  const emitters = streams.filter((prototype) => inherits(prototype, EventEmitter.prototype));
  for (const prototype of new Set([EventEmitter.prototype, ...emitters])) {
    const names = Reflect.ownKeys(prototype).filter((name) => name !== 'constructor');
    allowOverrides(prototype, prototype === EventEmitter.prototype ? [...names, 'constructor'] : names);
  }
  for (const prototype of errorClasses()) allowOverrides(prototype);
}

const inherits = (value: object, base: object): boolean => value === base || prototypesOf(value).includes(base);

function errorClasses(): object[] {
  const all = [
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
    AggregateError,
    DOMException,
  ];
  const suppressed = (globalThis as unknown as { SuppressedError?: ErrorConstructor }).SuppressedError;
  return [...all, assert.AssertionError, ...(suppressed ? [suppressed] : [])].map(({ prototype }) => prototype);
}
