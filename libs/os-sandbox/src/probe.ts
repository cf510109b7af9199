import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ReinsError } from '@reins/contracts';
import { launchBehind } from './launch-behind.ts';
import { nativeHelper } from './native-helper.ts';
import type { Lack, Wall } from './wall.ts';

/** A backend that was tried, and whether it works here. */
type Attempt = { readonly wall: Wall } | { readonly reason: string };

const BWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];
const USE_BUBBLEWRAP =
  'Install bubblewrap (apt-get install bubblewrap), and allow this process to create user namespaces.';
const RESTRICTED_POD =
  'In Kubernetes set hostUsers: false, or allow user namespaces in the seccomp profile of the pod.';

let probed: Promise<Wall> | undefined;

/** The best wall that works on this host, and what it lacks. Each backend is tried once with a real child. */
export function probe(): Promise<Wall> {
  probed ??= bestWall();
  return probed;
}

/**
 * @param setting that requires a wall; the hint names it
 * @throws ReinsError `sandbox_unavailable` when children of this host would have no wall of the operating system
 */
export function requireWall(wall: Wall, setting = 'processes.sandbox'): void {
  if (wall.backend !== 'none') return;
  const [lack] = wall.lacks;
  throw new ReinsError({
    code: 'sandbox_unavailable',
    message: `this host cannot confine child processes: ${lack?.reason ?? 'no backend works'}`,
    hint: `${lack?.hint ?? USE_BUBBLEWRAP} Or set ${setting} to preferred.`,
  });
}

async function bestWall(): Promise<Wall> {
  if (process.platform !== 'linux') return noWall(`the operating system is ${process.platform}`, 'Run Reins on Linux.');
  if (process.arch !== 'x64' && process.arch !== 'arm64')
    return noWall(`the seccomp filter does not support ${process.arch}`, 'Run it on x64 or arm64.');
  const bubblewrap = await tryBubblewrap();
  if ('wall' in bubblewrap) return bubblewrap.wall;
  const landlock = await tryLandlock(bubblewrap.reason);
  if ('wall' in landlock) return landlock.wall;
  return noWall(`${bubblewrap.reason}; ${landlock.reason}`, `${USE_BUBBLEWRAP} ${RESTRICTED_POD}`);
}

/** Tries bubblewrap alone. */
export async function tryBubblewrap(): Promise<Attempt> {
  const program = BWRAP.find(existsSync);
  if (program === undefined) return { reason: 'bubblewrap is not installed' };
  return tried({ backend: 'bubblewrap', program, lacks: [] });
}

/** Tries Landlock and seccomp alone. @param reason why there are no namespaces */
export async function tryLandlock(reason: string): Promise<Attempt> {
  try {
    return await tried({ backend: 'landlock', program: nativeHelper(), lacks: lacksOfLandlock(reason) });
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

/** Starts a child that does nothing. */
async function tried(wall: Wall): Promise<Attempt> {
  const child = launchBehind(wall, { command: '/bin/sh', args: ['-c', 'exit 0'] });
  const output = text(child.stderr as Readable);
  child.stdout?.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return { wall };
  return { reason: `${wall.backend} does not work: ${(await output).trim().slice(0, 300) || `it ended with ${code}`}` };
}

function lacksOfLandlock(reason: string): Lack[] {
  const hint = `${USE_BUBBLEWRAP} ${RESTRICTED_POD}`;
  return [
    { what: 'network namespace', reason: `${reason}; sockets are refused by seccomp instead`, hint },
    {
      what: 'process namespace',
      reason: `${reason}; signals and tracing are refused by seccomp and Landlock instead`,
      hint,
    },
    { what: 'private /tmp', reason: `${reason}; a child has no temporary folder unless it is given one`, hint },
    { what: 'hidden file names', reason: `${reason}; Landlock does not hide whether a file exists`, hint },
    { what: 'own uid', reason: `${reason}; a child has the uid of its parent, without capabilities`, hint },
  ];
}

const noWall = (reason: string, hint: string): Wall => ({
  backend: 'none',
  program: '',
  lacks: [{ what: 'operating-system sandbox', reason, hint }],
});
