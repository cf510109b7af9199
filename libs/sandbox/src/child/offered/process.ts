import { clock, isWithinStep, startOfRun } from '../ambient.ts';
import { refusal } from '../refusals.ts';

const { nextTick, versions, version, platform, arch } = process;
const realHrtime = process.hrtime.bigint;

const refused = (what: string) => () => {
  throw refusal(what, 'Return, throw, or use ctx.halt.');
};

const nanoseconds = (): bigint => (isWithinStep() ? realHrtime() : BigInt(clock()) * 1_000_000n);

function hrtime([seconds, rest]: readonly [number, number] = [0, 0]): [number, number] {
  const passed = nanoseconds() - (BigInt(seconds) * 1_000_000_000n + BigInt(rest));
  return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)];
}
hrtime.bigint = nanoseconds;

/** `process` for processes: the version of Node.js, and nothing about the machine or its user. */
const facade = {
  env: Object.freeze(Object.create(null)) as Record<string, string>,
  argv: Object.freeze(['node']),
  execArgv: Object.freeze([]),
  title: 'process',
  pid: 1,
  platform,
  arch,
  version,
  versions,
  release: Object.freeze({ name: 'node' }),
  cwd: () => '/',
  nextTick,
  hrtime,
  uptime: () => (clock() - startOfRun()) / 1000,
  emitWarning: () => undefined,
  on: () => facade,
  once: () => facade,
  off: () => facade,
  exit: refused('process.exit'),
  abort: refused('process.abort'),
  kill: refused('process.kill'),
};

export const { env, argv, execArgv, title, pid, cwd, uptime, emitWarning, exit } = facade;
export { arch, hrtime, nextTick, platform, version, versions };
export default facade;
