import { AsyncLocalStorage } from 'node:async_hooks';
import { refusing } from '../refusals.ts';

type Work = (this: unknown, ...args: unknown[]) => unknown;

/** `AsyncResource` without async ids, because they depend on all other work in the child. */
class AsyncResource {
  readonly #within = AsyncLocalStorage.snapshot();

  runInAsyncScope(work: Work, self?: unknown, ...args: unknown[]): unknown {
    return this.#within(() => Reflect.apply(work, self, args));
  }

  bind(work: Work, self?: unknown): Work {
    const run = this.runInAsyncScope.bind(this);
    return function (this: unknown, ...args) {
      return run(work, self ?? this, ...args);
    };
  }

  static bind(work: Work, _type?: string, self?: unknown): Work {
    return new AsyncResource().bind(work, self);
  }

  emitDestroy(): this {
    return this;
  }

  readonly asyncId = refusing('AsyncResource.asyncId');
  readonly triggerAsyncId = refusing('AsyncResource.triggerAsyncId');
}

/** `node:async_hooks` without hooks, because hooks would receive internal objects. */
export { AsyncLocalStorage, AsyncResource };
export default { AsyncLocalStorage, AsyncResource };
