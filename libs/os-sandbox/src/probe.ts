import { once } from 'node:events';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ReinsError } from '@reins/contracts';
import type { Isolation, MissingIsolation } from './isolation.ts';
import { launchIsolated } from './launch-isolated.ts';
import { nativeHelper } from './native-helper.ts';

/** The result of trying a backend: it works, or the reason why not. */
type Attempt = { readonly isolation: Isolation } | { readonly reason: string };

const BWRAP = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap'];
const USE_BUBBLEWRAP =
  'Install bubblewrap (apt-get install bubblewrap), and allow this process to create user namespaces.';
const RESTRICTED_POD =
  'In Kubernetes set hostUsers: false, or allow user namespaces in the seccomp profile of the pod.';

let probed: Promise<Isolation> | undefined;

/** The best isolation that works on this host. Tries each backend once with a real child. */
export function probe(): Promise<Isolation> {
  probed ??= bestIsolation();
  return probed;
}

/**
 * @param setting the setting that requires isolation, for the hint
 * @throws ReinsError `sandbox_unavailable` when this host has no isolation
 */
export function requireIsolation(isolation: Isolation, setting = 'processes.sandbox'): void {
  if (isolation.backend !== 'none') return;
  const [lack] = isolation.lacks;
  throw new ReinsError({
    code: 'sandbox_unavailable',
    message: `this host cannot confine child processes: ${lack?.reason ?? 'no backend works'}`,
    hint: `${lack?.hint ?? USE_BUBBLEWRAP} Or set ${setting} to preferred.`,
  });
}

async function bestIsolation(): Promise<Isolation> {
  if (process.platform !== 'linux')
    return noIsolation(`the operating system is ${process.platform}`, 'Run Reins on Linux.');
  if (process.arch !== 'x64' && process.arch !== 'arm64')
    return noIsolation(`the seccomp filter does not support ${process.arch}`, 'Run it on x64 or arm64.');
  const bubblewrap = await tryBubblewrap();
  if ('isolation' in bubblewrap) return bubblewrap.isolation;
  const landlock = await tryLandlock(bubblewrap.reason);
  if ('isolation' in landlock) return landlock.isolation;
  return noIsolation(`${bubblewrap.reason}; ${landlock.reason}`, `${USE_BUBBLEWRAP} ${RESTRICTED_POD}`);
}

/** Tries only bubblewrap. */
export async function tryBubblewrap(): Promise<Attempt> {
  const program = BWRAP.find(existsSync);
  if (program === undefined) return { reason: 'bubblewrap is not installed' };
  return tryIsolation({ backend: 'bubblewrap', program, lacks: [] });
}

/** Tries only Landlock with seccomp. @param reason why there are no namespaces */
export async function tryLandlock(reason: string): Promise<Attempt> {
  try {
    return await tryIsolation({ backend: 'landlock', program: nativeHelper(), lacks: missingInLandlock(reason) });
  } catch (error) {
    return { reason: (error as Error).message };
  }
}

/** Tries the isolation with a child that does nothing. */
async function tryIsolation(isolation: Isolation): Promise<Attempt> {
  const child = launchIsolated(isolation, { command: '/bin/sh', args: ['-c', 'exit 0'] });
  const output = text(child.stderr as Readable);
  child.stdout?.resume();
  const [code] = (await once(child, 'close')) as [number | null];
  if (code === 0) return { isolation };
  return {
    reason: `${isolation.backend} does not work: ${(await output).trim().slice(0, 300) || `it ended with ${code}`}`,
  };
}

function missingInLandlock(reason: string): MissingIsolation[] {
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

const noIsolation = (reason: string, hint: string): Isolation => ({
  backend: 'none',
  program: '',
  lacks: [{ what: 'operating-system sandbox', reason, hint }],
});
