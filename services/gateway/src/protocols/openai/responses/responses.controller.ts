import {
  type BeforeApplicationShutdown,
  Body,
  Delete,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsString, Max, Min } from 'class-validator';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Field } from '../../../http/field.ts';
import { Optional } from '../../../http/rules.ts';
import { callOf, IDEMPOTENCY_HEADER } from '../../../requests/call.ts';
import { OpenAi, openAiResponse } from '../openai.decorator.ts';
import { inputItems } from './input-items.ts';
import { responseCall } from './response-call.ts';
import { Responses } from './responses.service.ts';

const JSON_OBJECT = { type: 'object', additionalProperties: true } as const;
const BOOLEANS = ['true', 'false'] as const;

class RetrieveQuery {
  @Field({ description: 'get the events of the response as a stream' })
  @Optional()
  @IsIn(BOOLEANS)
  stream?: (typeof BOOLEANS)[number];

  @Field({ description: 'streams only: events after this sequence number' })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(0)
  starting_after?: number;
}

class ItemsQuery {
  @Field({ default: 20 })
  @Optional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @Field({ default: 'desc' })
  @Optional()
  @IsIn(['asc', 'desc'])
  order?: 'asc' | 'desc';

  @Field({ description: 'items after the one with this id' })
  @Optional()
  @IsString()
  after?: string;
}

@OpenAi('openai')
export class ResponsesController implements BeforeApplicationShutdown {
  constructor(private readonly responses: Responses) {}

  @Post('responses')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Create a response: submit a request, whose output is the output of the response',
    description: 'As in the API of OpenAI; docs/protocols.md lists the parameters. With `stream`, server-sent events.',
  })
  @ApiHeader(IDEMPOTENCY_HEADER)
  @ApiBody({ schema: JSON_OBJECT })
  @ApiOkResponse({
    content: { 'application/json': { schema: JSON_OBJECT }, 'text/event-stream': { schema: { type: 'string' } } },
  })
  @openAiResponse(409)
  @openAiResponse(413)
  create(@Body() body: unknown, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.responses.create(responseCall(body), callOf(request), reply);
  }

  @Get('responses/:id')
  @ApiOperation({ summary: 'Get a response, or its events as a stream' })
  @ApiOkResponse({
    content: { 'application/json': { schema: JSON_OBJECT }, 'text/event-stream': { schema: { type: 'string' } } },
  })
  async retrieve(
    @Param('id') id: string,
    @Query() { stream, starting_after }: RetrieveQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (stream === 'true') return this.responses.resume(id, starting_after, reply);
    reply.send(await this.responses.retrieve(id));
  }

  @Delete('responses/:id')
  @ApiOperation({ summary: 'Delete a response; its request stays' })
  @ApiOkResponse({ schema: JSON_OBJECT })
  remove(@Param('id') id: string): Promise<object> {
    return this.responses.remove(id);
  }

  @Post('responses/:id/cancel')
  @HttpCode(200)
  @ApiOperation({ summary: 'Cancel the request of a response' })
  @ApiOkResponse({ schema: JSON_OBJECT })
  cancel(@Param('id') id: string, @Req() request: FastifyRequest): Promise<object> {
    return this.responses.cancel(id, callOf(request));
  }

  @Get('responses/:id/input_items')
  @ApiOperation({ summary: 'List the input messages of a response' })
  @ApiOkResponse({ schema: JSON_OBJECT })
  async items(@Param('id') id: string, @Query() query: ItemsQuery): Promise<object> {
    return inputItems(await this.responses.find(id), query);
  }

  beforeApplicationShutdown(): void {
    this.responses.stop();
  }
}
