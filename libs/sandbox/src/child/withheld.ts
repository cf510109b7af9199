import { AsyncLocalStorage } from 'node:async_hooks';
import buffer from 'node:buffer';
import events from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { Duplex, Readable, Writable } from 'node:stream';
import util from 'node:util';
import { refusing } from './refusals.ts';

/** Members of shared modules that return the machine's clock, count the work of the child, or settle at any time. */
const WITHHELD: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [buffer, ['Blob', 'File', 'resolveObjectURL']],
  [events, ['EventEmitterAsyncResource']],
  [util, ['aborted', 'getCallSites', 'setTraceSigInt', 'transferableAbortController', 'transferableAbortSignal']],
  [URL, ['createObjectURL', 'revokeObjectURL']],
  // Web streams have references to message ports and to the serializer of Node.js.
  ...[Readable, Writable, Duplex].map((stream) => [stream, ['toWeb', 'fromWeb']] as const),
];

/**
 * Members with which the serializer of Node.js selects how to clone an object. None of our code uses the serializer.
 */
const SERIALIZED = [DOMException.prototype, AbortSignal.prototype, EventTarget.prototype, AbortController.prototype];

/** Replaces members of shared modules that processes may not use. */
export function withhold(): void {
  for (const [owner, names] of WITHHELD) for (const name of names) fix(owner, name, refusing(name));
  for (const prototype of SERIALIZED)
    for (const name of Object.getOwnPropertySymbols(prototype))
      if (name.description?.startsWith('messaging_')) delete (prototype as unknown as Record<symbol, unknown>)[name];
  // Uninitialised memory differs between replays, and so does the offset of bytes in the shared pool.
  for (const name of ['allocUnsafe', 'allocUnsafeSlow']) fix(Buffer, name, Buffer.alloc);
  fix(buffer, 'SlowBuffer', Buffer.alloc);
  fix(Buffer, 'poolSize', 0);
  const { bind } = AsyncLocalStorage;
  fix(AsyncLocalStorage, 'bind', (work: (...args: unknown[]) => unknown) => {
    const bound = bind(work); // Its `asyncResource` has an async id.
    return function (this: unknown, ...args: unknown[]) {
      return bound.apply(this, args);
    };
  });
  syncBuiltinESMExports();
}

function fix(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, enumerable: true, writable: false, configurable: false });
}
