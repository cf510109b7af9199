/**
 * Modules of Node.js that a process may import: those without side effects that return the same in every replay.
 * `crypto`, `fs`, `timers` and others are replaced by facades that meet this rule (`offered/`).
 */
const OFFERED: ReadonlySet<string> = new Set([
  'assert',
  'assert/strict',
  'async_hooks',
  'buffer',
  'crypto',
  'events',
  'fs',
  'fs/promises',
  'path',
  'path/posix',
  'path/win32',
  'perf_hooks',
  'process',
  'querystring',
  'string_decoder',
  'timers',
  'timers/promises',
  'url',
  'util',
  'util/types',
]);

const has = Set.prototype.has.bind(OFFERED);
const { startsWith, slice } = String.prototype;

/** @param name with or without `node:` */
export const isOffered = (name: string): boolean => has(startsWith.call(name, 'node:') ? slice.call(name, 5) : name);
