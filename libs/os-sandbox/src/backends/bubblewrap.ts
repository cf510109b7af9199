import { lstatSync, realpathSync, statSync } from 'node:fs';
import type { Confinement } from '../confinement.ts';

/** The command that puts a child behind namespaces of its own: files, processes, network, users, names and System V IPC. */
export function bubblewrapCommand(bwrap: string, confinement: Confinement, seccompFd: number): string[] {
  const { command, args, cwd, readable, writable, hidden, network, processes } = confinement;
  return [
    bwrap,
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'none' ? ['--unshare-net'] : []),
    ...['--die-with-parent', '--new-session', ...(processes ? [] : ['--as-pid-1'])],
    ...['--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--hostname', 'sandbox', '--disable-userns'],
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...mounts('--ro-bind', readable),
    ...mounts('--bind', writable),
    ...hidden.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    // Started by root, a child has the user of root outside of its namespaces: by that it could write to /proc/sys.
    ...['--remount-ro', '/', '--remount-ro', '/dev', '--remount-ro', '/proc', '--chdir', cwd],
    // What a shell adds to the environment.
    ...['SHLVL', 'OLDPWD', '_'].flatMap((name) => ['--unsetenv', name]),
    ...['--seccomp', String(seccompFd), '--', command, ...args],
  ];
}

/** Of a private `/tmp`, which is memory. */
const TMP_BYTES = 64 * 1024 * 1024;

/** Folders before what is in them, so that none covers another. A socket is never given: it leads to who listens there. */
function mounts(how: '--bind' | '--ro-bind', paths: readonly string[]): string[] {
  return [...new Set(paths)].sort().flatMap((path) => {
    const real = realpathSync(path);
    if (statSync(real).isSocket()) return [];
    // A link stays a link, since programs follow it to know where they are.
    return lstatSync(path).isSymbolicLink() ? ['--symlink', real, path, how, real, real] : [how, real, path];
  });
}
