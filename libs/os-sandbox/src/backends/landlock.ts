import { realpathSync, statSync } from 'node:fs';
import type { Confinement, OwnDescriptors } from '../confinement.ts';

/** The command that starts a child under Landlock and seccomp, through our helper (`native/confine.c`). */
export function landlockCommand(
  helper: string,
  confinement: Confinement,
  { seccomp, environment }: OwnDescriptors,
): string[] {
  const { command, args, cwd, readable, writable, network, processes, descriptors } = confinement;
  return [
    helper,
    ...['--descriptors', String(descriptors), '--seccomp', String(seccomp), '--environment', String(environment)],
    ...['--chdir', cwd],
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

/** The environment in the format of the helper. */
export function landlockEnvironment(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `${name}=${value}\0`)
    .join('');
}
