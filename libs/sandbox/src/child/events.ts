import { inspect, types } from 'node:util';
import { clock, isWithinStep, startOfRun } from './ambient.ts';

/**
 * Gives events the time of the process's clock, at which their time is read first. Node.js gives them the machine's time, also the events
 * that it makes itself.
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
    // The inspection of Node.js shows the time as well.
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
 * Listeners get a copy of their options. Node.js would ask the options of an author for names of its own, one of which makes a listener
 * that is lost whenever memory is collected.
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
  // Those of Node.js itself.
  if (!isProxy(options))
    for (const name of getOwnPropertySymbols(options)) copy[name] = (options as Record<symbol, unknown>)[name];
  return copy;
}
