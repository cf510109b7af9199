import { inspect } from 'node:util';
import { beginning, clock, isWithinStep } from './ambient.ts';

/**
 * Events have the time at which they were made, by the machine. To a process they have that by its own clock at which it asks first: it cannot tell
 * those that Node.js makes from its own otherwise.
 */
export function timeEvents(): void {
  const { prototype } = Event;
  const ofMachine = Object.getOwnPropertyDescriptor(prototype, 'timeStamp')?.get as (this: Event) => number;
  const asked = new WeakMap<Event, number>();
  const timeStamp = (event: Event): number => {
    const made = ofMachine.call(event);
    if (isWithinStep()) return made;
    const known = asked.get(event) ?? clock() - beginning();
    asked.set(event, known);
    return known;
  };
  Object.defineProperties(prototype, {
    timeStamp: {
      get(this: Event) {
        return timeStamp(this);
      },
    },
    // That of Node.js shows the time, too.
    [inspect.custom]: {
      value(this: Event, _depth: number, options: object) {
        const { type, defaultPrevented, cancelable } = this;
        const shown = { type, defaultPrevented, cancelable, timeStamp: timeStamp(this) };
        return `${this.constructor.name} ${inspect(shown, options)}`;
      },
    },
  });
}
