import { realpathSync, statSync } from 'node:fs';
import type { Confinement, OwnDescriptors } from '../confinement.ts';
import type { Network } from '../doors/door.ts';

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
    ...networkOptions(network),
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

function networkOptions(network: Network): string[] {
  if (typeof network === 'string') return network === 'host' ? ['--network'] : [];
  return ['--doors', ...network.doors.flatMap(({ port }) => ['--connect', String(port)])];
}
