import {
  defined,
  type ErrorCode,
  type ErrorInfo,
  isObject,
  isReinsError,
  type JsonValue,
  problemOf,
  ReinsError,
} from '@reins/contracts';

/**
 * The effect resolved as an error. If the process does not catch it, the run ends with its code. A posted error keeps
 * its name and data.
 */
export class EffectError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  readonly effectId: string;
  /** The data that came with the error. */
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

/** The awaited result will not come, because the run, a scope or the effect itself was cancelled. */
export class CancelledError extends Error {
  readonly reason: string;
  /** Set when only this effect was cancelled. */
  readonly effectId?: string;

  constructor(reason: string, effectId?: string) {
    super(`cancelled: ${reason}`);
    this.name = 'CancelledError';
    this.reason = reason;
    if (effectId !== undefined) this.effectId = effectId;
  }

  /**
   * Not a failure, so code that catches everything throws it again. A getter of the class, because processes may have
   * recorded the own fields of the error.
   */
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

/** The error for a wrong use of the process context. */
export function misuse(message: string, hint?: string): ReinsError {
  return new ReinsError({ code: 'process_invalid', message, ...defined({ hint }) });
}

/** Codes with which the context and the sandbox reject code that must be rewritten. */
const REFUSED: ReadonlySet<string> = new Set<ErrorCode>([
  'process_invalid',
  'replay_ambient',
  'process_access_refused',
]);

/** Whether a retry would fail with the same error. */
export const isRefused = (code: string): boolean => REFUSED.has(code);

/** An error of a process as it is recorded: with its code if it has one, never with a stack. */
export function errorInfoOf(error: unknown): ErrorInfo {
  if (error instanceof EffectError) return { code: error.code, message: error.message, ...named(error) };
  if (isReinsError(error)) return { ...withoutUndefined(problemOf(error)), ...named(error) };
  return { code: codeOf(error), message: messageOf(error) || 'the process failed', ...named(error) };
}

/** Errors of Reins are identified by codes, those of a process and posted ones by names. */
function named(error: unknown): Pick<ErrorInfo, 'name'> {
  const { name } = (typeof error === 'object' && error !== null ? error : {}) as { readonly name?: unknown };
  const isSpecific = typeof name === 'string' && name.trim() !== '' && !OWN_NAMES.has(name);
  return isSpecific ? { name: name.slice(0, LONGEST_NAME) } : {};
}

const OWN_NAMES: ReadonlySet<string> = new Set(['ReinsError', 'EffectError', 'CancelledError', 'ProcessEnded']);
const LONGEST_NAME = 200;

function codeOf(error: unknown): ErrorCode {
  if (error instanceof CancelledError) return 'effect_cancelled';
  return NO_MEMORY.test(messageOf(error)) ? 'process_out_of_memory' : 'process_failed';
}

/** The messages of Node.js and V8 when a buffer cannot be allocated. */
const NO_MEMORY = /^(Failed to allocate memory|Array buffer allocation failed|Data cannot be cloned, out of memory\.)$/;

function withoutUndefined({ code, message, path, hint }: ErrorInfo): ErrorInfo {
  return { code, message, ...defined({ path, hint }) };
}

/** Also works for errors from other realms. */
export function messageOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);
}
