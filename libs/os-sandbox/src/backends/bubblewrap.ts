import { lstatSync, realpathSync, statSync } from 'node:fs';
import type { Confinement } from '../confinement.ts';

/** The command that puts a child behind namespaces of its own: files, processes, network, users, names and System V IPC. */
export function bubblewrapCommand(bwrap: string, confinement: Confinement, seccompFd: number): string[] {
  const { command, args, cwd, readable, writable, hidden, network } = confinement;
  return [
    bwrap,
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'none' ? ['--unshare-net'] : []),
    // The first process of the namespace is bubblewrap itself: it dies with its parent, and with it all others, whatever they do.
    ...['--die-with-parent', '--new-session'],
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

/**
 * Folders before what is in them, so that none covers another. What a folder in the list already contains is not mounted again: its name may lead
 * through a link, where bubblewrap cannot mount. A socket is never given: it leads to who listens there.
 */
function mounts(how: '--bind' | '--ro-bind', paths: readonly string[]): string[] {
  const mounted: string[] = [];
  return [...new Set(paths)].sort().flatMap((path) => {
    const real = realpathSync(path);
    if (statSync(real).isSocket()) return [];
    const [hasName, hasContent] = [path, real].map((each) => mounted.some((folder) => isWithin(each, folder)));
    // A link stays a link, since programs follow it to know where they are.
    const isLink = lstatSync(path).isSymbolicLink();
    mounted.push(path, ...(isLink || hasName ? [real] : []));
    if (hasName) return hasContent ? [] : [how, real, real];
    return isLink ? ['--symlink', real, path, how, real, real] : [how, real, path];
  });
}

const isWithin = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
