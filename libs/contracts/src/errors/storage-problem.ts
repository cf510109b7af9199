import type { Problem } from './reins-error.ts';

/** What is wrong with a file or a folder, and what to do about it, by the errno that POSIX gives it. */
const MEANINGS: Readonly<Record<string, { readonly wrong: string; readonly hint: string }>> = {
  ENOSPC: { wrong: 'the disk is full', hint: 'make room there, then do it again' },
  EDQUOT: { wrong: 'the disk quota is used up', hint: 'make room there, or have the quota raised, then do it again' },
  EACCES: { wrong: 'this user may not do that here', hint: 'look who owns it and who may write there (`ls -ld`)' },
  EPERM: { wrong: 'this user may not do that here', hint: 'look who owns it and how it is mounted' },
  EROFS: { wrong: 'it can only be read there', hint: 'the file system is mounted read-only: use a folder elsewhere' },
  ENOENT: { wrong: 'there is no such file or folder', hint: 'look whether every folder of the path exists' },
  ENOTDIR: { wrong: 'a file stands where a folder is wanted', hint: 'look which part of the path is no folder' },
  EISDIR: { wrong: 'a folder stands where a file is wanted', hint: 'move the folder away, or name a file' },
  EEXIST: { wrong: 'something of that name is there already', hint: 'move it away, or choose another name' },
  ENOTEMPTY: { wrong: 'the folder is not empty', hint: 'look what else lies there' },
  ELOOP: { wrong: 'its symbolic links lead in a circle', hint: 'mend the links (`ls -l` shows where they lead)' },
  ENAMETOOLONG: { wrong: 'the name is too long', hint: 'use a shorter path' },
  EXDEV: { wrong: 'it lies on another file system', hint: 'keep the folder on one file system' },
  EBUSY: { wrong: 'somebody else uses it', hint: 'end what uses it, then do it again' },
  EFBIG: { wrong: 'the file would be larger than may be', hint: 'look at the limits of the file system (`ulimit -f`)' },
  EMFILE: { wrong: 'too many files are open', hint: 'raise the limit of open files (`ulimit -n`)' },
  ENFILE: { wrong: 'too many files are open on this machine', hint: 'end what holds them open, then do it again' },
  EIO: { wrong: 'the disk cannot be read or written', hint: 'look at the disk and at the messages of the system' },
  ESTALE: { wrong: 'the file system lost it', hint: 'look whether the network file system is there' },
};

/** The same numbers, but about processes and sockets. */
const NO_FILE = /^(spawn(Sync)?|connect|listen|bind|accept|getaddrinfo|kill)\b/;

/**
 * What an error of the file system is, told once for all that read and write files: `storage_failed`, with the file or folder as `path` where the
 * error names it. Undefined for every other error.
 */
export function storageProblem(error: unknown): Problem | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, syscall, path, dest } = error as SystemError;
  const meaning = typeof code === 'string' && Object.hasOwn(MEANINGS, code) ? MEANINGS[code] : undefined;
  if (!meaning || typeof syscall !== 'string' || NO_FILE.test(syscall)) return undefined;
  const place = dest ?? path;
  return {
    code: 'storage_failed',
    message: `${typeof place === 'string' ? `${place}: ` : ''}${meaning.wrong} (${code}, ${syscall})`,
    ...(typeof place === 'string' && { path: place }),
    hint: meaning.hint,
  };
}

/** As Node makes it; a copy or a move names both ends. */
type SystemError = Readonly<Partial<Record<'code' | 'syscall' | 'path' | 'dest', unknown>>>;
