import { applyDecorators, type CanActivate, Controller, Injectable, UseGuards } from '@nestjs/common';
import { ApiBearerAuth, ApiResponse, ApiTags } from '@nestjs/swagger';
import { ReinsError } from '@reins/contracts';
import { Settings } from '@reins/service-kit';
import { ApiKeyGuard } from '../../keys/api-key.guard.ts';

/** Refuses calls while the protocol is switched off. */
@Injectable()
export class OpenAiGuard implements CanActivate {
  constructor(private readonly settings: Settings) {}

  /** @throws ReinsError `protocol_disabled` */
  canActivate(): boolean {
    if (this.settings.protocols.openai.enabled) return true;
    throw new ReinsError({
      code: 'protocol_disabled',
      message: 'the OpenAI protocol is switched off',
      hint: 'Set protocols.openai.enabled to true.',
    });
  }
}

/** Decorates a controller of the OpenAI protocol: path `/v1`, API key guard, documented errors. */
export function OpenAi(tag: string): ClassDecorator {
  return applyDecorators(
    Controller('v1'),
    UseGuards(OpenAiGuard, ApiKeyGuard),
    ApiTags(tag),
    ApiBearerAuth(),
    ...[400, 401, 404, 429, 500, 503].map((status) => openAiResponse(status)),
  );
}

/** Documents an error in the form of OpenAI. */
export function openAiResponse(status: number): MethodDecorator & ClassDecorator {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/OpenAiErrorResponse' } } };
  return ApiResponse({ status, description: 'the call failed; `error.code` says why', content });
}
