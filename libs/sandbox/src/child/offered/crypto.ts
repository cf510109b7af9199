import * as real from 'node:crypto';
import { isWithinStep, onlyInSteps, random, uuid } from '../ambient.ts';

const { randomFillSync: fill } = real;

/** `crypto` for processes: hashes as they are, and random numbers that follow from the run. None of them is a secret. */
function getRandomValues<T extends NodeJS.ArrayBufferView>(into: T): T {
  const bytes = new Uint8Array(into.buffer, into.byteOffset, into.byteLength);
  if (isWithinStep()) {
    fill(bytes);
    return into;
  }
  for (let i = 0; i < bytes.length; i += 1) bytes[i] = Math.floor(random() * 256);
  return into;
}

/** An answer later, by a callback, would come in the midst of something else. */
function atOnce<T>(value: T, callback: ((error: null, value: T) => void) | undefined): T | undefined {
  if (callback === undefined) return value;
  process.nextTick(callback, null, value);
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
    atOnce(getRandomValues(Buffer.alloc(size)), callback),
  randomInt: (from: number, to?: number): number => {
    const [low, high] = to === undefined ? [0, from] : [from, to];
    return low + Math.floor(random() * (high - low));
  },
  randomFillSync: getRandomValues,
  getRandomValues,
};

/** The global of that name. Its `subtle` works beside the process and comes back whenever it is done. */
export const cryptoGlobal = {
  randomUUID: crypto.randomUUID,
  getRandomValues,
  subtle: new Proxy({} as Record<string, unknown>, {
    get: (_, name) => {
      const work = (real.webcrypto.subtle as unknown as Record<PropertyKey, unknown>)[name];
      if (typeof work !== 'function') return undefined;
      return onlyInSteps(`crypto.subtle.${String(name)}`, work.bind(real.webcrypto.subtle), 'node:crypto createHash');
    },
  }),
};

export const { createHash, createHmac, hash, getHashes, timingSafeEqual } = crypto;
export const { randomUUID, randomBytes, randomInt, randomFillSync } = crypto;
export const webcrypto = cryptoGlobal;
export { getRandomValues };
export default { ...crypto, webcrypto };
