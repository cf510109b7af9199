import type { JetStreamManager, Lister } from '@nats-io/jetstream';
import type { ConnectionState } from './link-state.ts';
import { whileConnected } from './while-connected.ts';

/**
 * A JetStream manager whose calls fail like all requests of the bus: without a response, with the retryable
 * `bus_unavailable`. The client's own errors have no code, so callers would treat them as bugs.
 */
export const retryableManager = (bus: ConnectionState, manager: JetStreamManager): JetStreamManager =>
  replacing(manager, (name, member) => (APIS.has(name) ? retryableApi(bus, member as object) : member));

/** The parts of the manager that send requests. */
const APIS: ReadonlySet<string> = new Set(['streams', 'consumers', 'direct'] satisfies (keyof JetStreamManager)[]);
/** Calls that return pages, and send a request for each of them. */
const LISTS: ReadonlySet<string> = new Set(['list', 'names']);

type Method = (...args: unknown[]) => unknown;

const retryableApi = (bus: ConnectionState, api: object): object =>
  replacing(api, (name, member) => {
    if (typeof member !== 'function') return member;
    const call: Method = (...args) => Reflect.apply(member, api, args);
    if (LISTS.has(name)) return (...args: unknown[]) => retryablePages(bus, call(...args) as Lister<unknown>);
    return (...args: unknown[]) => whileConnected(bus, async () => call(...args));
  });

function retryablePages<T>(bus: ConnectionState, pages: Lister<T>): Lister<T> {
  const next = (): Promise<T[]> => whileConnected(bus, () => pages.next());
  return {
    next,
    async *[Symbol.asyncIterator]() {
      for (let page = await next(); page.length > 0; page = await next()) yield* page;
    },
  };
}

/** The same object with other members. */
function replacing<T extends object>(target: T, replace: (name: string, member: unknown) => unknown): T {
  return new Proxy(target, {
    get: (object, name) => {
      const member: unknown = Reflect.get(object, name, object);
      return typeof name === 'string' ? replace(name, member) : member;
    },
  });
}
