import { AsyncLocalStorage } from 'node:async_hooks';
import buffer from 'node:buffer';
import events from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { Duplex, Readable, Writable } from 'node:stream';
import util from 'node:util';
import { refusing } from './refusals.ts';

/** Members of shared modules that have the machine's clock, count its work, or settle at any time. */
const WITHHELD: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [buffer, ['Blob', 'File', 'resolveObjectURL']],
  [events, ['EventEmitterAsyncResource']],
  [util, ['aborted', 'getCallSites', 'setTraceSigInt', 'transferableAbortController', 'transferableAbortSignal']],
  [URL, ['createObjectURL', 'revokeObjectURL']],
  // The streams of the web lead to ports, and to the serializer of Node.js.
  ...[Readable, Writable, Duplex].map((stream) => [stream, ['toWeb', 'fromWeb']] as const),
];

/** Members by which the serializer of Node.js asks objects what to make of them. Nothing of ours uses it. */
const SERIALIZED = [DOMException.prototype, AbortSignal.prototype, EventTarget.prototype, AbortController.prototype];

/** Replaces members of shared modules that no process may have. */
export function withhold(): void {
  for (const [owner, names] of WITHHELD) for (const name of names) fix(owner, name, refusing(name));
  for (const prototype of SERIALIZED)
    for (const name of Object.getOwnPropertySymbols(prototype))
      if (name.description?.startsWith('messaging_')) delete (prototype as unknown as Record<symbol, unknown>)[name];
  // Old memory differs from replay to replay, and so does the place of bytes in a shared pool.
  for (const name of ['allocUnsafe', 'allocUnsafeSlow']) fix(Buffer, name, Buffer.alloc);
  fix(buffer, 'SlowBuffer', Buffer.alloc);
  fix(Buffer, 'poolSize', 0);
  const { bind } = AsyncLocalStorage;
  fix(AsyncLocalStorage, 'bind', (work: (...args: unknown[]) => unknown) => {
    const bound = bind(work); // It leads to its resource, which has a number.
    return function (this: unknown, ...args: unknown[]) {
      return bound.apply(this, args);
    };
  });
  syncBuiltinESMExports();
}

function fix(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, enumerable: true, writable: false, configurable: false });
}
