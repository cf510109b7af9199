import { readFileSync, realpathSync, statSync } from 'node:fs';

/**
 * The Unix sockets of this host that have a path. A network namespace does not separate them from a child that can see
 * their folder. Sockets in other network namespaces are not listed.
 */
export function unixSocketPaths(): string[] {
  const table = readFileSync('/proc/net/unix', 'utf8');
  const paths = [...table.matchAll(/^(?:\S+ +){7}(\/.*)$/gm)].map(([, path = '']) => path);
  return [...new Set(paths.flatMap(realPathOf))].sort();
}

function realPathOf(path: string): string[] {
  try {
    const real = realpathSync(path);
    return statSync(real).isSocket() ? [real] : [];
  } catch {
    return []; // It was removed, or this user may not see it.
  }
}
