import { lstatSync, realpathSync, statSync } from 'node:fs';
import type { Confinement, OwnDescriptors } from '../confinement.ts';
import { doorsOf, needsForwarder } from '../doors/door.ts';
import { forwarderCommand } from '../doors/forwarder-command.ts';
import { unixSocketPaths } from '../doors/unix-sockets.ts';

/**
 * The command that starts a child in its own namespaces: mounts, processes, network, users, hostname and System V IPC.
 */
export function bubblewrapCommand(bwrap: string, confinement: Confinement, own: OwnDescriptors): string[] {
  const { command, args, cwd, readable, writable, hidden, network, descriptors } = confinement;
  const { seccomp, environment } = own;
  const isForwarded = needsForwarder(network);
  return [
    bwrap,
    ...['--unshare-user', '--unshare-ipc', '--unshare-pid', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'host' ? [] : ['--unshare-net']),
    // bubblewrap is the first process of the namespace: it dies with its parent, and then the kernel kills all others.
    ...['--die-with-parent', '--new-session'],
    ...['--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--hostname', 'sandbox', '--disable-userns'],
    ...['--proc', '/proc', '--dev', '/dev', '--size', String(TMP_BYTES), '--tmpfs', '/tmp'],
    ...mounts('--ro-bind', readable),
    ...mounts('--bind', writable),
    ...(typeof network === 'string' ? [] : withoutSockets([...readable, ...writable])),
    ...doorsOf(network).flatMap(({ socket }) => ['--ro-bind', socket, socket]),
    ...hidden.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
    // A child of root keeps root's identity outside its namespaces, with which it could write to /proc/sys.
    ...['--remount-ro', '/', '--remount-ro', '/dev', '--remount-ro', '/proc', '--chdir', cwd],
    // Every user of the machine can read arguments, so the values of variables are not among them.
    ...['--clearenv', ...(isForwarded ? [] : ['--args', String(environment)])],
    ...['--seccomp', String(seccomp), '--'],
    ...(isForwarded ? forwarderCommand(network, descriptors, own, [command, ...args]) : [command, ...args]),
  ];
}

/** Covers the Unix sockets of the host that the child could otherwise connect to. */
function withoutSockets(mounted: readonly string[]): string[] {
  const folders = mounted.map((path) => realpathSync(path));
  return unixSocketPaths()
    .filter((socket) => folders.some((folder) => isWithin(socket, folder)))
    .flatMap((socket) => ['--ro-bind', '/dev/null', socket]);
}

/** The environment as arguments, in the format of `--args`. */
export function bubblewrapEnvironment(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .flatMap(([name, value]) => ['--setenv', name, value])
    .map((argument) => `${argument}\0`)
    .join('');
}

/** The size of the private `/tmp`, which is in memory. */
const TMP_BYTES = 64 * 1024 * 1024;

/**
 * Sorts folders before their contents, so that no mount covers another. Paths inside a mounted folder are not mounted
 * again: such a path may contain a symbolic link, where bubblewrap cannot mount. Sockets are never mounted, because
 * they connect to a process outside.
 */
function mounts(how: '--bind' | '--ro-bind', paths: readonly string[]): string[] {
  const mounted: string[] = [];
  return [...new Set(paths)].sort().flatMap((path) => {
    const real = realpathSync(path);
    if (statSync(real).isSocket()) return [];
    const [hasName, hasContent] = [path, real].map((each) => mounted.some((folder) => isWithin(each, folder)));
    // Mounts a symbolic link as a link, since programs use it to find their own location.
    const isLink = lstatSync(path).isSymbolicLink();
    mounted.push(path, ...(isLink || hasName ? [real] : []));
    if (hasName) return hasContent ? [] : [how, real, real];
    return isLink ? ['--symlink', real, path, how, real, real] : [how, real, path];
  });
}

const isWithin = (path: string, folder: string): boolean => path.startsWith(folder === '/' ? '/' : `${folder}/`);
