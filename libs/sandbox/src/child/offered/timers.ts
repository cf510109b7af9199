import { stepTimers } from '../step-timers.ts';
import timersPromises from './timers-promises.ts';

/** `node:timers` for processes: a timer belongs to the machine, so there are timers in steps only. */
const timers = { ...stepTimers, promises: timersPromises };

export const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises } = timers;
export default timers;
