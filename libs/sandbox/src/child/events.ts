import { inspect, types } from 'node:util';
import { clock, isWithinStep, startOfRun } from './ambient.ts';

/**
 * Makes `event.timeStamp` return the time of the process's clock at its first read. Node.js would return the time of
 * the machine, also for events that it creates itself.
 */
export function timeEvents(): void {
  const { prototype } = Event;
  const ofMachine = Object.getOwnPropertyDescriptor(prototype, 'timeStamp')?.get as (this: Event) => number;
  const asked = new WeakMap<Event, number>();
  const timeStamp = (event: Event): number => {
    const made = ofMachine.call(event);
    if (isWithinStep()) return made;
    const known = asked.get(event) ?? clock() - startOfRun();
    asked.set(event, known);
    return known;
  };
  Object.defineProperties(prototype, {
    timeStamp: {
      get(this: Event) {
        return timeStamp(this);
      },
    },
    // `util.inspect` of Node.js shows the time as well.
    [inspect.custom]: {
      value(this: Event, _depth: number, options: object) {
        const { type, defaultPrevented, cancelable } = this;
        const shown = { type, defaultPrevented, cancelable, timeStamp: timeStamp(this) };
        return `${this.constructor.name} ${inspect(shown, options)}`;
      },
    },
  });
}

const { apply } = Reflect;
const { getOwnPropertySymbols } = Object;
const { isProxy } = types;

/**
 * Copies the options of listeners. Node.js would look up internal symbols in the options of an author, one of which
 * creates a weak listener that garbage collection removes.
 */
export function copyListenerOptions(): void {
  const { prototype } = EventTarget;
  const { addEventListener: add } = prototype;
  prototype.addEventListener = function addEventListener(this: EventTarget, ...args: unknown[]) {
    if (typeof args[2] === 'object' && args[2] !== null) args[2] = copied(args[2]);
    return apply(add, this, args);
  };
}

function copied(options: object): object {
  const { capture, once, passive, signal } = options as Record<string, unknown>;
  const copy: Record<PropertyKey, unknown> = { __proto__: null, capture, once, passive, signal };
  // The internal symbols of Node.js.
  if (!isProxy(options))
    for (const name of getOwnPropertySymbols(options)) copy[name] = (options as Record<symbol, unknown>)[name];
  return copy;
}
