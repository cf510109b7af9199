import type { Problem } from '@reins/contracts';

/** Limits of a tree. */
export interface TreeLimits {
  readonly maxFiles: number;
  /** The size of all files together. */
  readonly maxBytes: number;
  /** The size of one file. */
  readonly maxFileBytes: number;
  /** The length of one path in UTF-8. */
  readonly maxPathBytes: number;
}

const MIB = 1024 * 1024;

const DEFAULT_LIMITS: TreeLimits = {
  maxFiles: 50_000,
  maxBytes: 1024 * MIB,
  maxFileBytes: 128 * MIB,
  maxPathBytes: 1024,
};

/**
 * For trees that are already stored: later, lower limits must not make them unreadable. The path limit stays, because
 * the file system has it too.
 */
export const NO_LIMITS: TreeLimits = {
  maxFiles: Number.MAX_SAFE_INTEGER,
  maxBytes: Number.MAX_SAFE_INTEGER,
  maxFileBytes: Number.MAX_SAFE_INTEGER,
  maxPathBytes: 4096,
};

export function withDefaults(limits: Partial<TreeLimits> | undefined): TreeLimits {
  return { ...DEFAULT_LIMITS, ...limits };
}

const LIMIT_HINT = 'Add files that do not belong to the workspace to .reinsignore, or raise the limit.';

export function tooManyFiles(limits: TreeLimits): Problem {
  const message = `the tree has more than ${limits.maxFiles} files`;
  return { code: 'tree_limit_exceeded', message, hint: LIMIT_HINT };
}

export function tooManyBytes(limits: TreeLimits): Problem {
  const message = `the files of the tree have more than ${limits.maxBytes} bytes in total`;
  return { code: 'tree_limit_exceeded', message, hint: LIMIT_HINT };
}

export function fileTooLarge(path: string, size: number, limits: TreeLimits): Problem {
  const message = `the file has ${size} bytes, more than the limit of ${limits.maxFileBytes}`;
  return { code: 'tree_limit_exceeded', message, path, hint: LIMIT_HINT };
}
