import { isObject, isStage, isToken, STAGES } from '@reins/contracts';
import { ValidateIf } from 'class-validator';
import { depthWithin, MAX_DEPTH, Satisfies } from './validation.ts';

/** The field may be absent; `null` is invalid. */
export const Optional = (): PropertyDecorator => ValidateIf((_object, value) => value !== undefined);

const TOKEN = '^[A-Za-z0-9_-]{1,64}$';
/** Ids become subject tokens. */
export const IsToken = (): PropertyDecorator =>
  Satisfies(isToken, '1 to 64 letters, digits, "_" or "-"', { pattern: TOKEN });

const SHA256 = /^[0-9a-f]{64}$/;
export const isSha256 = (value: unknown): value is string => typeof value === 'string' && SHA256.test(value);
export const IsSha256 = (): PropertyDecorator =>
  Satisfies(isSha256, 'a SHA-256 in lower-case hex', { pattern: SHA256.source });

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;
const isTime = (value: unknown): boolean =>
  typeof value === 'string' && TIME.test(value) && !Number.isNaN(Date.parse(value));
export const IsTime = (): PropertyDecorator =>
  Satisfies(isTime, 'a UTC time such as 2026-01-31T12:00:00.000Z', { type: 'string', format: 'date-time' });

/** An object of stage → runtime id. */
export const IsStageMap = (): PropertyDecorator =>
  Satisfies(
    (value) =>
      isObject(value) && Object.entries(value).every(([stage, runtimeId]) => isStage(stage) && isToken(runtimeId)),
    `an object that maps ${STAGES.join(', ')} to a runtime id`,
    {
      type: 'object',
      properties: Object.fromEntries(STAGES.map((stage) => [stage, { type: 'string', pattern: TOKEN }])),
      additionalProperties: false,
    },
  );

export const IsBoundedJson = (): PropertyDecorator =>
  Satisfies((value) => value !== undefined && depthWithin(value, MAX_DEPTH), `JSON, at most ${MAX_DEPTH} levels deep`);
