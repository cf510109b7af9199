import type { Problem } from './problem.ts';

/** Message and hint for a file system error, by POSIX errno. */
const MEANINGS: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  ENOSPC: { message: 'the disk is full', hint: 'Free disk space, then try again.' },
  EDQUOT: { message: 'the disk quota is used up', hint: 'Free disk space or raise the quota, then try again.' },
  EACCES: { message: 'permission denied', hint: 'Check the owner and the permissions (`ls -ld`).' },
  EPERM: { message: 'permission denied', hint: 'Check the owner and the mount options.' },
  EROFS: { message: 'the file system is read-only', hint: 'Use a folder on a writable file system.' },
  ENOENT: { message: 'no such file or folder', hint: 'Check the path.' },
  ENOTDIR: { message: 'not a folder', hint: 'Check which part of the path is not a folder.' },
  EISDIR: { message: 'is a folder, not a file', hint: 'Move the folder away, or name a file.' },
  EEXIST: { message: 'already exists', hint: 'Move it away, or choose another name.' },
  ENOTEMPTY: { message: 'the folder is not empty', hint: 'Check the content of the folder.' },
  ELOOP: { message: 'its symbolic links form a cycle', hint: 'Fix the links (`ls -l` shows their targets).' },
  ENAMETOOLONG: { message: 'the name is too long', hint: 'Use a shorter path.' },
  EXDEV: { message: 'it is on another file system', hint: 'Keep the folder on one file system.' },
  EBUSY: { message: 'it is in use', hint: 'Stop the program that uses it, then try again.' },
  EFBIG: {
    message: 'the file would exceed the size limit',
    hint: 'Check the limits of the file system (`ulimit -f`).',
  },
  EMFILE: { message: 'too many files are open', hint: 'Raise the limit of open files (`ulimit -n`).' },
  ENFILE: { message: 'too many files are open on this machine', hint: 'Close files or stop programs, then try again.' },
  EIO: { message: 'the disk cannot be read or written', hint: 'Check the disk and the system log.' },
  ESTALE: { message: 'the file handle is stale', hint: 'Check that the network file system is mounted.' },
};

/** System calls with the same error numbers that concern processes and sockets. */
const NO_FILE = /^(spawn(Sync)?|connect|listen|bind|accept|getaddrinfo|kill)\b/;

/**
 * Converts a file system error to a `storage_failed` problem, with the file or folder as `path` if the error names it.
 * Returns undefined for any other error.
 */
export function storageProblem(error: unknown): Problem | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, syscall, path, dest } = error as SystemError;
  const meaning = typeof code === 'string' && Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  if (!meaning || typeof syscall !== 'string' || NO_FILE.test(syscall)) return undefined;
  const place = dest ?? path;
  return {
    code: 'storage_failed',
    message: `${typeof place === 'string' ? `${place}: ` : ''}${meaning.message} (${code}, ${syscall})`,
    ...(typeof place === 'string' && { path: place }),
    hint: meaning.hint,
  };
}

/** An error of Node; copying or moving names both paths. */
type SystemError = Readonly<Partial<Record<'code' | 'syscall' | 'path' | 'dest', unknown>>>;
