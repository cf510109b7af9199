import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

type Prepare = (error: Error, sites: readonly NodeJS.CallSite[]) => unknown;
type CallSiteFacade = Readonly<Record<string, () => unknown>>;

const { toString: nameAndMessage } = Error.prototype;

/**
 * Methods of a call site that describe code. `getThis` and `getFunction` are left out, because they return objects of
 * other code.
 */
const METHODS =
  `getTypeName getFunctionName getMethodName getFileName getLineNumber getColumnNumber getEvalOrigin isToplevel isEval isNative
  isConstructor isAsync isPromiseAll getPromiseIndex getScriptNameOrSourceURL getScriptHash toString`.split(/\s+/);

/** The folder of the process, as it appears in stacks. */
let places: readonly string[] = [];

/** Limits stacks of errors to code in this folder. Other lines differ between machines and versions of Reins. */
export function showStacksOf(root: string): void {
  places = [pathToFileURL(join(root, '/')).href, join(root, '/')];
}

const MAX_FRAMES = 20;
const LONGEST_FRAME = 300;

/** The frames of the process in a thrown error, without "at". Empty for other values. */
export function framesOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [];
  let stack: unknown;
  try {
    ({ stack } = error);
  } catch {
    return [];
  }
  if (typeof stack !== 'string') return [];
  const frames = stack.split('\n').filter((line) => line.startsWith(FRAME));
  return frames.slice(0, MAX_FRAMES).map((line) => line.slice(FRAME.length, FRAME.length + LONGEST_FRAME));
}

const FRAME = '    at ';

const isOwn = (site: NodeJS.CallSite): boolean => {
  const line = String(site);
  return places.length === 0 || places.some((place) => line.includes(place));
};

const ownStack: Prepare = (error, sites) => {
  const lines = sites
    .filter(isOwn)
    .map((site) => places.reduce((text, place) => text.replaceAll(place, ''), String(site)));
  return `${nameAndMessage.call(error)}${lines.map((line) => `\n    at ${line}`).join('')}`;
};

function facadeOf(site: NodeJS.CallSite): CallSiteFacade {
  const methods = site as unknown as Readonly<Record<string, (() => unknown) | undefined>>;
  const entries = METHODS.map((name) => [name, () => methods[name]?.call(site)] as const);
  return Object.freeze({ ...Object.fromEntries(entries), getThis: () => undefined, getFunction: () => undefined });
}

/** The author's function for each wrapper. `Error.prepareStackTrace` returns the author's function. */
const authored = new WeakMap<object, Prepare>();

function calling(prepare: Prepare): Prepare {
  const prepareStackTrace: Prepare = (error, sites) =>
    prepare(error, sites.filter(isOwn).map(facadeOf) as unknown as NodeJS.CallSite[]);
  authored.set(prepareStackTrace, prepare);
  return prepareStackTrace;
}

/**
 * Takes over `Error.prepareStackTrace`. An author may set it, but the function receives facades of the call sites of
 * the process and none of ours. It is an accessor on the prototype of `Error`, since `Error` itself will be frozen.
 */
export function tameStacks(): void {
  const { prototype } = Function;
  let current: Prepare = ownStack;
  const settings = Object.create(prototype, {
    prepareStackTrace: {
      get: () => current,
      set(this: unknown, prepare: unknown) {
        if (this !== Error)
          Object.defineProperty(this, 'prepareStackTrace', { value: prepare, writable: true, configurable: true });
        else if (typeof prepare !== 'function') current = ownStack;
        else if (prepare === ownStack || authored.has(prepare)) current = prepare as Prepare;
        else current = calling(prepare as Prepare);
      },
    },
  }) as object;
  delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
  Object.setPrototypeOf(Error, settings);
}
