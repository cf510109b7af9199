export { ERROR_CODES, type ErrorCode, type ErrorCodeInfo } from './errors/codes.ts';
export { isReinsError, isRetryable, type Problem, problemOf, ReinsError } from './errors/reins-error.ts';
export { DEFAULT_PARTITIONS, fnv1a32, partitionOf } from './subjects/partitions.ts';
export { assertToken, isToken, NO_REQUEST } from './subjects/tokens.ts';
