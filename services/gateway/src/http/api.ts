import { applyDecorators, Controller, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ApiKeyGuard } from '../keys/api-key.guard.ts';
import { ProblemResponse } from './responses.ts';

/** Decorates an API controller: path `/api/v1`, API key guard, documented problem responses. */
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
  400: 'the call is invalid; lists all problems',
  401: 'the API key is missing, unknown or revoked',
  404: 'the resource does not exist',
  409: 'the call conflicts with the current state',
  410: 'the event log does not have these events (any more)',
  413: 'the body exceeds the limit of this installation',
  429: 'too many open requests, calls or commands; try again after Retry-After',
  500: 'internal error',
  503: 'a part of the system is unavailable; try again after Retry-After',
};

/** Classes that only the OpenAPI document refers to. */
export const EXTRA_MODELS = [ProblemResponse];
