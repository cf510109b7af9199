import * as real from 'node:timers';
import { onlyInSteps } from '../ambient.ts';
import timersPromises from './timers-promises.ts';

const guarded = <T extends (...args: never[]) => unknown>(name: string, work: T): T =>
  onlyInSteps(name, work, 'ctx.sleepUntil');

/** `node:timers` for processes: a timer belongs to the machine, so there are some within steps alone. */
const timers = {
  setTimeout: guarded('setTimeout', real.setTimeout as (...args: never[]) => unknown),
  setInterval: guarded('setInterval', real.setInterval as (...args: never[]) => unknown),
  setImmediate: guarded('setImmediate', real.setImmediate as (...args: never[]) => unknown),
  clearTimeout: real.clearTimeout,
  clearInterval: real.clearInterval,
  clearImmediate: real.clearImmediate,
  promises: timersPromises,
};

export const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate, promises } = timers;
export default timers;
