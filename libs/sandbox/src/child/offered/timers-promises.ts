import * as real from 'node:timers/promises';
import { onlyInSteps } from '../ambient.ts';

const guarded = <T extends (...args: never[]) => unknown>(name: string, work: T): T =>
  onlyInSteps(name, work, 'ctx.sleepUntil');

/** `node:timers/promises` for processes. */
const timersPromises = {
  setTimeout: guarded('setTimeout', real.setTimeout),
  setInterval: guarded('setInterval', real.setInterval as (...args: never[]) => unknown),
  setImmediate: guarded('setImmediate', real.setImmediate),
};

export const { setTimeout, setInterval, setImmediate } = timersPromises;
export default timersPromises;
