import { format } from 'node:util';
import * as contracts from '@reins/contracts';
import * as replay from '@reins/replay';
import { clock, random } from './ambient.ts';
import { copyListenerOptions, timeEvents } from './events.ts';
import { harden } from './harden.ts';
import { allowUsualOverrides, hiddenPrototypes, SHARED_MODULES } from './intrinsics.ts';
import { ownExports } from './loader.ts';
import { cryptoGlobal } from './offered/crypto.ts';
import performanceFacade from './offered/perf-hooks.ts';
import processFacade from './offered/process.ts';
import timers from './offered/timers.ts';
import { refusing } from './refusals.ts';
import { tameStacks } from './stacks.ts';
import { abortAfter, abortedByAny, StepTimer } from './step-timers.ts';
import { structuredCloneOf } from './structured-clone.ts';
import { hideRealCollections, weakCollections } from './weak-collections.ts';
import { withhold } from './withheld.ts';

/** Globals of the language, and others that have no side effects and always return the same. */
const KEPT: ReadonlySet<string> = new Set(
  `Object Function Array Number parseFloat parseInt Infinity NaN undefined Boolean String Symbol Promise RegExp Error
  AggregateError EvalError RangeError ReferenceError SyntaxError TypeError URIError SuppressedError globalThis global JSON Math Intl
  ArrayBuffer Atomics Uint8Array Int8Array Uint16Array Int16Array Uint32Array Int32Array BigUint64Array BigInt64Array
  Uint8ClampedArray Float16Array Float32Array Float64Array DataView Map BigInt Set Iterator Proxy Reflect decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape eval isFinite isNaN DisposableStack
  AsyncDisposableStack Buffer URL URLSearchParams URLPattern DOMException AbortController AbortSignal Event EventTarget CustomEvent
  TextEncoder TextDecoder queueMicrotask atob btoa`.split(/\s+/),
);

/**
 * Members of the real `process` that give access to the machine. Authored code cannot reach it; this is a second line
 * of defence.
 */
const DANGEROUS =
  `binding _linkedBinding dlopen getBuiltinModule _getActiveHandles _getActiveRequests getActiveResourcesInfo stdin
  stdout stderr openStdin mainModule send disconnect channel kill _kill _debugProcess _debugEnd report execve chdir loadEnvFile
  moduleLoadList setuid setgid seteuid setegid setgroups initgroups umask abort`.split(/\s+/);

const RealDate = Date;
const realProcess = process;

/** Longer lines are truncated. */
const LINE = 8 * 1024;

/**
 * Removes access to the machine and freezes the rest, before authored code is loaded. Our own code has captured what it
 * needs.
 * @param say receives lines of the console
 */
export function lockDown(say: (line: string) => void): void {
  const root = globalThis as Record<string, unknown>;
  // Some globals are created at first use, from members that are removed below.
  for (const name of KEPT) void root[name];
  const replaced = replacements(say);
  for (const name of Object.getOwnPropertyNames(globalThis))
    if (!KEPT.has(name)) replace(root, name, replaced[name] ?? refusing(name));
  root.Date = replaced.Date;
  Math.random = random;
  AbortSignal.timeout = abortAfter;
  AbortSignal.any = abortedByAny;
  Object.defineProperty(Atomics, 'waitAsync', { value: refusing('Atomics.waitAsync') });
  withhold();
  timeEvents();
  copyListenerOptions();
  hideRealCollections();
  formatNow();
  tameStacks();
  for (const name of DANGEROUS) replace(realProcess as unknown as Record<string, unknown>, name, undefined);
  freezeWorld(root, Object.keys(replaced));
}

/** Our replacements for globals. */
function replacements(say: (line: string) => void): Readonly<Record<string, unknown>> {
  const { promises, ...timerFunctions } = timers;
  return {
    Date: datesOf(RealDate),
    process: processFacade,
    performance: performanceFacade.performance,
    crypto: cryptoGlobal,
    console: consoleOf(say),
    structuredClone: structuredCloneOf,
    ...weakCollections,
    ...timerFunctions,
  };
}

/**
 * Freezes every object that a process can reach, and the globals that our own code or Node.js uses. A process may define
 * new globals, and replace its console and the globals that it may not use.
 */
function freezeWorld(root: Record<string, unknown>, replaced: readonly string[]): void {
  const fixed = [...KEPT, ...replaced].filter((name) => name !== 'console' && Object.hasOwn(root, name));
  allowUsualOverrides();
  const globals = Object.values(Object.getOwnPropertyDescriptors(root)).flatMap(({ value, get, set }) => [
    value,
    get,
    set,
  ]);
  const more = [Object.getPrototypeOf(root), StepTimer, ...Object.values(root.console as object)];
  harden([...globals, ...more, ...hiddenPrototypes(), ...SHARED_MODULES, ...ownExports(), replay, contracts], {
    objects: new Set([root, root.console as object, realProcess]),
    writable: new Map([[Error, 'stackTraceLimit']]),
  });
  // Some are accessors with a setter.
  for (const name of fixed)
    Object.defineProperty(root, name, { value: root[name], writable: false, configurable: false });
}

function replace(owner: Record<string, unknown>, name: string, value: unknown): void {
  delete owner[name]; // Defining without deleting would first create lazy globals.
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false });
}

/** `Date` with the clock of the process. */
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

/** `format` without a date uses the clock of the process. */
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
