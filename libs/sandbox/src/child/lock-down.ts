import { EventEmitter } from 'node:events';
import { format } from 'node:util';
import { clock, onlyInSteps, random } from './ambient.ts';
import { timeEvents } from './events.ts';
import { cryptoGlobal } from './offered/crypto.ts';
import performanceFacade from './offered/perf-hooks.ts';
import processFacade from './offered/process.ts';
import timers from './offered/timers.ts';
import { refusing } from './refusals.ts';
import { withhold } from './withheld.ts';

/** What belongs to the language, and what is as harmless: it reaches nothing and answers the same every time. */
const KEPT: ReadonlySet<string> = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Promise RegExp Error
  AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis global JSON Math Intl
  ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array
  Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator WeakMap WeakSet Proxy Reflect
  SharedArrayBuffer decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN DisposableStack
  AsyncDisposableStack Buffer URL URLSearchParams URLPattern DOMException AbortController AbortSignal Event EventTarget CustomEvent
  TextEncoder TextDecoder queueMicrotask structuredClone atob btoa`.split(/\s+/),
);

/** Members of the real `process`, which nothing hands out, that lead to the machine all the same. */
const DANGEROUS =
  `binding _linkedBinding dlopen getBuiltinModule _getActiveHandles _getActiveRequests getActiveResourcesInfo stdin
  stdout stderr openStdin mainModule send disconnect channel kill _kill _debugProcess _debugEnd report execve chdir loadEnvFile
  moduleLoadList setuid setgid seteuid setegid setgroups initgroups umask abort`.split(/\s+/);

const RealDate = Date;
const realProcess = process;

/** Longer lines are cut: they are for people. */
const LINE = 8 * 1024;

/**
 * Takes the world away from the code that will be loaded into this process. What our own code needs of it, it has taken before.
 * This is the second wall: the first is the permission model, which Node.js does not have for the network.
 * @param say where lines of the console go
 */
export function lockDown(say: (line: string) => void): void {
  const root = globalThis as Record<string, unknown>;
  // Some are made when they are first used, of what is taken away below.
  for (const name of KEPT) void root[name];
  const abortAfter = AbortSignal.timeout;
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!KEPT.has(name)) replace(root, name, refusing(name));
  }
  replace(root, 'Date', datesOf(RealDate));
  replace(root, 'process', processFacade);
  replace(root, 'performance', performanceFacade.performance);
  replace(root, 'crypto', cryptoGlobal);
  replace(root, 'console', consoleOf(say));
  for (const [name, work] of Object.entries(timers)) if (name !== 'promises') replace(root, name, work);
  Math.random = random;
  AbortSignal.timeout = onlyInSteps('AbortSignal.timeout', abortAfter, 'the deadline of ctx.signal');
  Object.defineProperty(Atomics, 'waitAsync', { value: refusing('Atomics.waitAsync') });
  withhold();
  timeEvents();
  fixMethods(EventEmitter.prototype); // The real process is one: a method put there would be handed it.
  formatNow();
  for (const name of DANGEROUS) replace(realProcess as unknown as Record<string, unknown>, name, undefined);
}

function replace(owner: Record<string, unknown>, name: string, value: unknown): void {
  delete owner[name]; // Otherwise some would be made first, with all that they need.
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false });
}

function fixMethods(prototype: object): void {
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (typeof value === 'function') Object.defineProperty(prototype, name, { writable: false, configurable: false });
  }
}

/** `Date`, whose now is the clock of the process. */
function datesOf(real: DateConstructor): DateConstructor {
  real.now = clock;
  const dates = new Proxy(real, {
    construct: (target, args: unknown[], asked) =>
      Reflect.construct(target, args.length === 0 ? [clock()] : args, asked),
    apply: () => new real(clock()).toString(),
  });
  real.prototype.constructor = dates;
  return dates;
}

/** What is formatted without a date is formatted as of now. */
function formatNow(): void {
  const dates = Intl.DateTimeFormat.prototype;
  const { formatToParts } = dates;
  const format = Object.getOwnPropertyDescriptor(dates, 'format')?.get as (
    this: Intl.DateTimeFormat,
  ) => (at: number) => string;
  Object.defineProperty(dates, 'format', {
    get(this: Intl.DateTimeFormat) {
      const bound = format.call(this);
      return (at: number = clock()) => bound(at);
    },
  });
  dates.formatToParts = function (at: number | Date = clock()) {
    return formatToParts.call(this, at);
  };
}

function consoleOf(say: (line: string) => void): Partial<Console> {
  const line = (...said: unknown[]) => say(format(...said).slice(0, LINE));
  const nothing = () => undefined;
  const lines = { log: line, info: line, warn: line, error: line, debug: line, trace: line, dir: line };
  const quiet = `assert clear count countReset group groupCollapsed groupEnd table time timeEnd timeLog`.split(' ');
  return { ...lines, ...Object.fromEntries(quiet.map((name) => [name, nothing])) };
}
