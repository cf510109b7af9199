import type { Problem } from '@reins/contracts';

/** What a tree may hold. */
export interface TreeLimits {
  readonly maxFiles: number;
  /** All contents together. */
  readonly maxBytes: number;
  /** One content. */
  readonly maxFileBytes: number;
  /** One path, in UTF-8. */
  readonly maxPathBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_LIMITS: TreeLimits = {
  maxFiles: 50_000,
  maxBytes: 1024 * MIB,
  maxFileBytes: 128 * MIB,
  maxPathBytes: 1024,
};

/**
 * For trees that were admitted before: later and lower limits do not make them unreadable. Paths keep their limit, which is
 * the file system's too.
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

const LEAVE_OUT = 'name what does not belong to the workspace in .reinsignore, or raise the limit';

export function tooManyFiles(limits: TreeLimits): Problem {
  const message = `the tree has more than ${limits.maxFiles} files`;
  return { code: 'tree_limit_exceeded', message, hint: LEAVE_OUT };
}

export function tooManyBytes(limits: TreeLimits): Problem {
  const message = `the files of the tree hold more than ${limits.maxBytes} bytes together`;
  return { code: 'tree_limit_exceeded', message, hint: LEAVE_OUT };
}

export function fileTooLarge(path: string, size: number, limits: TreeLimits): Problem {
  const message = `the file has ${size} bytes, more than the ${limits.maxFileBytes} that are admitted`;
  return { code: 'tree_limit_exceeded', message, path, hint: LEAVE_OUT };
}
