import { realpathSync, statSync } from 'node:fs';
import type { Confinement } from '../confinement.ts';

/** The command that starts a child under Landlock and seccomp, through our helper (`native/confine.c`). */
export function landlockCommand(helper: string, confinement: Confinement, seccompFd: number): string[] {
  const { command, args, cwd, readable, writable, network, processes, descriptors } = confinement;
  return [
    helper,
    ...['--descriptors', String(descriptors), '--seccomp', String(seccompFd), '--chdir', cwd],
    ...(network === 'host' ? ['--network'] : []),
    ...(processes ? ['--processes'] : []),
    ...paths('--read', [...readable, ...DEVICES]),
    ...paths('--write', [...writable, '/dev/null']),
    ...['--', command, ...args],
  ];
}

const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'];

function paths(how: '--read' | '--write', all: readonly string[]): string[] {
  return [...new Set(all.map((path) => realpathSync(path)))]
    .filter((path) => !statSync(path).isSocket())
    .flatMap((path) => [how, path]);
}
