import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../keys/api-key.guard.ts';
import { ProblemResponse } from './responses.ts';

/** A controller of the API: below `/api/v1`, behind the API key, its errors as problem documents. */
export function Api(tag: string): ClassDecorator {
  return applyDecorators(
    Controller('api/v1'),
    UseGuards(ApiKeyGuard),
    ApiTags(tag),
    ApiBearerAuth(),
    ...[400, 401, 404, 429, 500, 503].map((status) => problemResponse(status)),
  );
}

export function problemResponse(status: number): MethodDecorator & ClassDecorator {
  const content = { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemResponse' } } };
  return ApiResponse({ status, description: DESCRIPTIONS[status] ?? 'the call failed', content });
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'the call does not have the documented shape; all problems at once',
  401: 'the API key is missing, unknown or revoked',
  404: 'what the path names does not exist',
  409: 'it contradicts what is there already',
  413: 'too large for this installation',
  429: 'too much work is waiting; try again after the seconds of Retry-After',
  500: 'an internal error of Reins',
  503: 'a part of the system cannot be reached; try again after the seconds of Retry-After',
};

/** Classes that only the document refers to. */
export const EXTRA_MODELS = [ProblemResponse];
