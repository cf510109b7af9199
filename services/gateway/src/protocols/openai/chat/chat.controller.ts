import { type BeforeApplicationShutdown, Body, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { callOf, IDEMPOTENCY_HEADER } from '../../../requests/call.ts';
import { OpenAi, openAiResponse } from '../openai.decorator.ts';
import { chatCall } from './chat-call.ts';
import { ChatCompletions } from './chat-completions.ts';

const JSON_OBJECT = { type: 'object', additionalProperties: true } as const;

@OpenAi('openai')
export class ChatController implements BeforeApplicationShutdown {
  constructor(private readonly completions: ChatCompletions) {}

  @Post('chat/completions')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Create a chat completion: submit a request and answer with its output',
    description: 'As in the API of OpenAI; docs/protocols.md lists the parameters. With `stream`, server-sent events.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiBody({ schema: JSON_OBJECT })
  @ApiOkResponse({
    content: { 'application/json': { schema: JSON_OBJECT }, 'text/event-stream': { schema: { type: 'string' } } },
  })
  @openAiResponse(409)
  @openAiResponse(413)
  @openAiResponse(504)
  create(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.completions.create(chatCall(body), callOf(request), reply);
  }

  beforeApplicationShutdown(): void {
    this.completions.stop();
  }
}
