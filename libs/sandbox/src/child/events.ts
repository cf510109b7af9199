import { inspect } from 'node:util';
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
