import type { Problem } from './reins-error.ts';

/** Message and hint for a file system error, by POSIX errno. */
const MEANINGS: Readonly<Record<string, { readonly message: string; readonly hint: string }>> = {
  ENOSPC: { message: 'the disk is full', hint: 'free disk space, then try again' },
  EDQUOT: { message: 'the disk quota is used up', hint: 'free disk space or raise the quota, then try again' },
  EACCES: { message: 'permission denied', hint: 'check the owner and the permissions (`ls -ld`)' },
  EPERM: { message: 'permission denied', hint: 'check the owner and the mount options' },
  EROFS: { message: 'the file system is read-only', hint: 'use a folder on a writable file system' },
  ENOENT: { message: 'no such file or folder', hint: 'check the path' },
  ENOTDIR: { message: 'not a folder', hint: 'check which part of the path is not a folder' },
  EISDIR: { message: 'is a folder, not a file', hint: 'move the folder away, or name a file' },
  EEXIST: { message: 'already exists', hint: 'move it away, or choose another name' },
  ENOTEMPTY: { message: 'the folder is not empty', hint: 'check the content of the folder' },
  ELOOP: { message: 'its symbolic links form a cycle', hint: 'fix the links (`ls -l` shows their targets)' },
  ENAMETOOLONG: { message: 'the name is too long', hint: 'use a shorter path' },
  EXDEV: { message: 'it is on another file system', hint: 'keep the folder on one file system' },
  EBUSY: { message: 'it is in use', hint: 'stop the program that uses it, then try again' },
  EFBIG: { message: 'the file would exceed the size limit', hint: 'check the limits of the file system (`ulimit -f`)' },
  EMFILE: { message: 'too many files are open', hint: 'raise the limit of open files (`ulimit -n`)' },
  ENFILE: { message: 'too many files are open on this machine', hint: 'close files or stop programs, then try again' },
  EIO: { message: 'the disk cannot be read or written', hint: 'check the disk and the system log' },
  ESTALE: { message: 'the file handle is stale', hint: 'check that the network file system is mounted' },
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
