import { stepTimers } from '../step-timers.ts';
import timersPromises from './timers-promises.ts';

/** `node:timers` for processes. Timers depend on the machine, so they are available only in steps. */
const timers = { ...stepTimers, promises: timersPromises };

export const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises } = timers;
export default timers;
