import { Get, Param } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { OpenAi } from '../openai.decorator.ts';
import { AgentModels, type ListedModel } from './agent-models.ts';

class ModelView {
  @ApiProperty({ example: 'notes/writer', description: '`<workspace>/<agent>`' })
  id!: string;

  @ApiProperty({ enum: ['model'] })
  object!: 'model';

  @ApiProperty({ description: 'when the workspace was uploaded, in seconds since 1970' })
  created!: number;

  @ApiProperty({ description: 'the workspace' })
  owned_by!: string;

  @ApiPropertyOptional({ description: 'what the agent is for' })
  description?: string;
}

class ModelList {
  @ApiProperty({ enum: ['list'] })
  object!: 'list';

  @ApiProperty({ type: [ModelView] })
  data!: ModelView[];
}

class CapabilitiesView {
  @ApiProperty({ enum: ['capabilities'] })
  object!: 'capabilities';

  @ApiProperty({ example: 'openai-compatible' })
  protocol!: string;

  @ApiProperty({ type: [String], description: 'the calls of this protocol' })
  endpoints!: readonly string[];

  @ApiProperty({ type: [String], description: 'what these calls support' })
  features!: readonly string[];

  @ApiProperty({ type: [String], description: 'the names of additional server-sent events' })
  events!: readonly string[];
}

const CAPABILITIES: CapabilitiesView = {
  object: 'capabilities',
  protocol: 'openai-compatible',
  endpoints: [
    'GET /v1/models',
    'GET /v1/models/{model}',
    'GET /v1/capabilities',
    'POST /v1/chat/completions',
    'POST /v1/responses',
    'GET /v1/responses/{id}',
    'DELETE /v1/responses/{id}',
    'POST /v1/responses/{id}/cancel',
    'GET /v1/responses/{id}/input_items',
  ],
  features: ['stream', 'json_schema', 'images', 'files', 'sessions', 'background'],
  events: ['stable_harness.tool.progress', 'stable_harness.progress.narration'],
};

@OpenAi('openai')
export class ModelsController {
  constructor(private readonly models: AgentModels) {}

  @Get('models')
  @ApiOperation({ summary: 'List the agents of all workspaces as models' })
  @ApiOkResponse({ type: ModelList })
  async list(): Promise<ModelList> {
    return { object: 'list', data: (await this.models.list()).map(modelView) };
  }

  @Get('models/:workspace/:agent')
  @ApiOperation({ summary: 'Get an agent as a model' })
  @ApiOkResponse({ type: ModelView })
  find(@Param('workspace') workspace: string, @Param('agent') agent: string): Promise<ModelView> {
    return this.#find(`${workspace}/${agent}`);
  }

  /** Clients of OpenAI encode the `/` of a model name. */
  @Get('models/:model')
  @ApiOperation({ summary: 'Get an agent as a model, by its encoded name' })
  @ApiOkResponse({ type: ModelView })
  findEncoded(@Param('model') model: string): Promise<ModelView> {
    return this.#find(model);
  }

  @Get('capabilities')
  @ApiOperation({ summary: 'Get what this protocol supports' })
  @ApiOkResponse({ type: CapabilitiesView })
  capabilities(): CapabilitiesView {
    return CAPABILITIES;
  }

  /** @throws ReinsError `model_not_found` */
  async #find(model: string): Promise<ModelView> {
    return modelView(await this.models.listed(model));
  }
}

const modelView = ({ id, workspaceId, uploadedAt, description }: ListedModel): ModelView => ({
  id,
  object: 'model',
  created: Math.floor(Date.parse(uploadedAt) / 1000),
  owned_by: workspaceId,
  ...(description !== undefined && { description }),
});
