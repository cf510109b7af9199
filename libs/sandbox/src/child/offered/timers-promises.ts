import { stepTimersPromises } from '../step-timers.ts';

/** `node:timers/promises` for processes. */
export const { setTimeout, setInterval, setImmediate } = stepTimersPromises;
export default stepTimersPromises;
