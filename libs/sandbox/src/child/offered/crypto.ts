import * as real from 'node:crypto';
import { isWithinStep, onlyInSteps, random, uuid } from '../ambient.ts';

const { randomFillSync: fill } = real;
const { nextTick } = process;

/**
 * `crypto` for processes. Hash functions are the real ones. Random values come from the run's seed, so they are
 * reproducible and not secret; in a step they come from the machine.
 */
function getRandomValues<T extends NodeJS.ArrayBufferView>(into: T): T {
  const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  if (isWithinStep()) {
    fill(bytes);
    return into;
  }
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Math.floor(random() * 256);
  return into;
}

/** Returns the value, or passes it to the callback in a later tick. */
function returnOrCallback<T>(value: T, callback: ((error: null, value: T) => void) | undefined): T | undefined {
  if (callback === undefined) return value;
  nextTick(callback, null, value);
  return undefined;
}

const crypto = {
  createHash: real.createHash,
  createHmac: real.createHmac,
  hash: real.hash,
  getHashes: real.getHashes,
  timingSafeEqual: real.timingSafeEqual,
  randomUUID: (): string => uuid(),
  randomBytes: (size: number, callback?: (error: null, value: Buffer) => void) =>
    returnOrCallback(getRandomValues(Buffer.alloc(size)), callback),
  randomInt: (from: number, to?: number): number => {
    const [low, high] = to === undefined ? [0, from] : [from, to];
    return low + Math.floor(random() * (high - low));
  },
  randomFillSync: getRandomValues,
  getRandomValues,
};

const { subtle } = real.webcrypto;

/** `crypto.subtle` works in the thread pool, so its promises resolve at any time. It is available only in steps. */
function subtleFacade(): Readonly<Record<string, unknown>> {
  const methods = Object.getOwnPropertyDescriptors(Object.getPrototypeOf(subtle) as object);
  const names = Object.keys(methods).filter(
    (name) => name !== 'constructor' && typeof methods[name]?.value === 'function',
  );
  return Object.fromEntries(
    names.map((name) => {
      const work = methods[name]?.value as (...args: never[]) => unknown;
      return [name, onlyInSteps(`crypto.subtle.${name}`, work.bind(subtle), 'node:crypto createHash')];
    }),
  );
}

/** The global `crypto`. */
export const cryptoGlobal = { randomUUID: crypto.randomUUID, getRandomValues, subtle: subtleFacade() };

export const { createHash, createHmac, hash, getHashes, timingSafeEqual } = crypto;
export const { randomUUID, randomBytes, randomInt, randomFillSync } = crypto;
export const webcrypto = cryptoGlobal;
export { getRandomValues };
export default { ...crypto, webcrypto };
