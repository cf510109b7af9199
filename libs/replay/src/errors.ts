import {
  type ErrorCode,
  type ErrorInfo,
  isObject,
  isReinsError,
  type JsonValue,
  problemOf,
  ReinsError,
} from '@reins/contracts';

/**
 * An effect resolved as an error. What the process does not catch ends the run with this code. One that somebody posted has the name and
 * the data that it was posted with.
 */
export class EffectError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly effectId: string;
  /** What came with the error. */
  readonly details?: JsonValue;
  readonly data?: JsonValue;

  constructor(
    error: ErrorInfo,
    more: { readonly effectId: string; readonly retryable?: boolean; readonly details?: JsonValue },
  ) {
    super(error.message);
    this.name = 'EffectError';
    this.code = error.code;
    this.effectId = more.effectId;
    this.retryable = more.retryable ?? false;
    if (more.details === undefined) return;
    this.details = more.details;
    const { error: posted } = isObject(more.details) ? more.details : {};
    if (!isObject(posted)) return;
    if (typeof posted.name === 'string') this.name = posted.name;
    if (posted.data !== undefined) this.data = posted.data;
  }
}

/** What the process waited for will not come: the run, a scope or the effect itself was cancelled. */
export class CancelledError extends Error {
  readonly reason: string;
  /** Set when it was this one effect that was cancelled. */
  readonly effectId?: string;

  constructor(reason: string, effectId?: string) {
    super(`cancelled: ${reason}`);
    this.name = 'CancelledError';
    this.reason = reason;
    if (effectId !== undefined) this.effectId = effectId;
  }

  /** No failure: what catches everything throws it on. Of the class, so that what processes recorded of its fields stays as it is. */
  get isIntrinsic(): true {
    return true;
  }
}

/** Unwinds a process that has already ended, by `halt` or `continueAsNew`. Catching it changes nothing. */
export class ProcessEnded extends Error {
  constructor(how: string) {
    super(`the process ended: ${how}`);
    this.name = 'ProcessEnded';
  }
}

/** The process used its context in a way that it does not have. */
export function misuse(message: string, hint?: string): ReinsError {
  return new ReinsError({ code: 'process_invalid', message, ...(hint !== undefined && { hint }) });
}

/** What the context and the sandbox answer to code that has to be written differently. */
const REFUSED: ReadonlySet<string> = new Set<ErrorCode>([
  'process_invalid',
  'replay_ambient',
  'process_access_refused',
]);

/** Done again, it is refused again. */
export const isRefused = (code: string): boolean => REFUSED.has(code);

/** How an error of a process is told: by its own code where it has one, never with a stack. */
export function errorInfoOf(error: unknown): ErrorInfo {
  if (error instanceof EffectError) return { code: error.code, message: error.message, ...named(error) };
  if (isReinsError(error)) return { ...withoutUndefined(problemOf(error)), ...named(error) };
  return { code: codeOf(error), message: messageOf(error) || 'the process failed', ...named(error) };
}

/** Errors of ours are known by their codes; those of a process, and those that were posted to it, by their names. */
function named(error: unknown): Pick<ErrorInfo, 'name'> {
  const { name } = (typeof error === 'object' && error !== null ? error : {}) as { readonly name?: unknown };
  const isTelling = typeof name === 'string' && name.trim() !== '' && !OWN_NAMES.has(name);
  return isTelling ? { name: name.slice(0, LONGEST_NAME) } : {};
}

const OWN_NAMES: ReadonlySet<string> = new Set(['ReinsError', 'EffectError', 'CancelledError', 'ProcessEnded']);
const LONGEST_NAME = 200;

function codeOf(error: unknown): ErrorCode {
  if (error instanceof CancelledError) return 'effect_cancelled';
  return NO_MEMORY.test(messageOf(error)) ? 'process_out_of_memory' : 'process_failed';
}

/** What Node.js and V8 say when a buffer cannot be had. */
const NO_MEMORY = /^(Failed to allocate memory|Array buffer allocation failed|Data cannot be cloned, out of memory\.)$/;

function withoutUndefined({ code, message, path, hint }: ErrorInfo): ErrorInfo {
  return { code, message, ...(path !== undefined && { path }), ...(hint !== undefined && { hint }) };
}

/** Works for errors of every realm, not of this one alone. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
