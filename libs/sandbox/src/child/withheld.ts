import { AsyncLocalStorage } from 'node:async_hooks';
import buffer from 'node:buffer';
import events from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import util from 'node:util';
import { refusing } from './refusals.ts';

/** In modules that processes have as they are: what has the machine's clock, counts its work, or comes when it likes. */
const WITHHELD: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [buffer, ['Blob', 'File', 'resolveObjectURL']],
  [events, ['EventEmitterAsyncResource']],
  [util, ['aborted', 'getCallSites', 'setTraceSigInt', 'transferableAbortController', 'transferableAbortSignal']],
  [URL, ['createObjectURL', 'revokeObjectURL']],
];

/** Takes away what no process may have of the modules of Node.js that it is offered. */
export function withhold(): void {
  for (const [owner, names] of WITHHELD) for (const name of names) fix(owner, name, refusing(name));
  // Whatever lies in memory is no answer that comes a second time, nor is where in a shared pool bytes lie.
  for (const name of ['allocUnsafe', 'allocUnsafeSlow']) fix(Buffer, name, Buffer.alloc);
  fix(buffer, 'SlowBuffer', Buffer.alloc);
  fix(Buffer, 'poolSize', 0);
  const { bind } = AsyncLocalStorage;
  fix(AsyncLocalStorage, 'bind', (work: (...args: unknown[]) => unknown) => {
    const bound = bind(work); // It tells the resource that it belongs to, which has a number.
    return function (this: unknown, ...args: unknown[]) {
      return bound.apply(this, args);
    };
  });
  syncBuiltinESMExports();
}

function fix(owner: object, name: string, value: unknown): void {
  Object.defineProperty(owner, name, { value, enumerable: true, writable: false, configurable: false });
}
