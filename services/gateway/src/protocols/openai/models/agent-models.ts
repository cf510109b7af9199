import { Injectable } from '@nestjs/common';
import { DEFAULT_AGENT, isToken, type Problem, ReinsError, type Stage } from '@reins/contracts';
import { Settings } from '@reins/service-kit';
import { WorkspaceOutlines } from '../../../workspaces/workspace-outlines.ts';
import { type UploadedWorkspace, Workspaces } from '../../../workspaces/workspaces.service.ts';

/** The agent that a model name stands for. */
export interface AgentModel {
  readonly workspaceId: string;
  /** Undefined: the default agent. */
  readonly agentId: string | undefined;
  /** The stage whose text is the answer while it is written. */
  readonly answeringStage: Stage | undefined;
}

/** An agent in the list of models. */
export interface ListedModel {
  /** `<workspace>/<agent>` */
  readonly id: string;
  readonly workspaceId: string;
  readonly uploadedAt: string;
  readonly description?: string;
}

/** The agents of all workspaces, as models of an OpenAI client. */
@Injectable()
export class AgentModels {
  constructor(
    private readonly workspaces: Workspaces,
    private readonly outlines: WorkspaceOutlines,
    private readonly settings: Settings,
  ) {}

  /** All agents of all workspaces. */
  async list(): Promise<readonly ListedModel[]> {
    const listed = (await this.workspaces.list()).map((workspace) => this.#modelsOf(workspace));
    return (await Promise.all(listed)).flat();
  }

  async #modelsOf(workspace: UploadedWorkspace): Promise<readonly ListedModel[]> {
    const { workspaceId, uploadedAt } = workspace;
    const { agents } = await this.outlines.of(workspace);
    const listed = agents.length === 0 ? [{ id: DEFAULT_AGENT }] : agents;
    return listed.map(({ id, ...about }) => ({ id: `${workspaceId}/${id}`, workspaceId, uploadedAt, ...about }));
  }

  /** The agent of a model name as it is listed. @throws ReinsError `model_not_found` */
  async listed(model: string): Promise<ListedModel> {
    const { workspaceId, agentId } = await this.find(model);
    const workspace = await this.workspaces.find(workspaceId);
    const models = workspace ? await this.#modelsOf(workspace) : [];
    const found = models.find(({ id }) => id === `${workspaceId}/${agentId}`) ?? models[0];
    if (!found) throw new ReinsError(notFound(model));
    return { ...found, id: model };
  }

  /**
   * Finds the agent of a model name: `<workspace>/<agent>`, `<workspace>` for its default agent, or `<agent>` of the
   * workspace that the settings name.
   * @throws ReinsError `model_not_found`
   */
  async find(model: string): Promise<AgentModel> {
    const [first = '', agentId, ...rest] = model.split('/');
    const { workspace: named } = this.settings.protocols.openai;
    const ownAgent = agentId === undefined && named !== undefined ? await this.#agent(named, first) : undefined;
    const found = ownAgent ?? (rest.length === 0 ? await this.#agent(first, agentId) : undefined);
    if (found) return found;
    throw new ReinsError(notFound(model));
  }

  async #agent(workspaceId: string, agentId: string | undefined): Promise<AgentModel | undefined> {
    const workspace = isToken(workspaceId) ? await this.workspaces.find(workspaceId) : undefined;
    if (!workspace) return undefined;
    const { agents, answeringStage } = await this.outlines.of(workspace);
    const isKnown = agentId === undefined || agentId === DEFAULT_AGENT || agents.some(({ id }) => id === agentId);
    return isKnown ? { workspaceId, agentId, answeringStage } : undefined;
  }
}

const notFound = (model: string): Problem => ({
  code: 'model_not_found',
  message: `no agent has the model name ${JSON.stringify(model.slice(0, 200))}`,
  path: 'model',
  hint: 'Use <workspace>/<agent>; GET /v1/models lists all.',
});
