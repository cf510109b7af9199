import { Injectable } from '@nestjs/common';
import { DEFAULT_AGENT, isToken, type Stage } from '@reins/contracts';
import { leadAgent } from '@reins/runtime-config';
import { Memo, readRevision } from '@reins/service-kit';
import { agentsOf, type CompiledWorkspaceRuntimePlan, compileWorkspace, extensionsOf } from '@reins/workspace-plan';
import { type UploadedWorkspace, Workspaces } from './workspaces.service.ts';

/** What callers need to know about a revision before its plan is compiled for a run. */
export interface WorkspaceOutline {
  /** The agents that a request can name, the default one first. */
  readonly agents: readonly WorkspaceAgent[];
  /**
   * The stage whose output is the output of a request, if that is known while the stage writes it. Undefined with an
   * `evaluate` stage, which may reject the output, and with a process of the workspace.
   */
  readonly answeringStage: Stage | undefined;
}

export interface WorkspaceAgent {
  readonly id: string;
  readonly description?: string;
}

/** The number of outlines in memory. One has less than a kilobyte. */
const CACHED = 1_000;
const NONE: WorkspaceOutline = { agents: [], answeringStage: undefined };

/** Reads which agents the revisions of workspaces have. */
@Injectable()
export class WorkspaceOutlines {
  readonly #outlines = new Memo<WorkspaceOutline>(CACHED);

  constructor(private readonly workspaces: Workspaces) {}

  /**
   * The outline of a revision. A workspace that does not compile has no agents: a request for it reports why.
   * @throws ReinsError when its files cannot be read
   */
  of({ workspaceId, revision }: Pick<UploadedWorkspace, 'workspaceId' | 'revision'>): Promise<WorkspaceOutline> {
    return this.#outlines.get(`${workspaceId}.${revision}`, async () => {
      const result = compileWorkspace(await readRevision(await this.workspaces.open(revision), workspaceId));
      return result.ok ? outlineOf(result.plan) : NONE;
    });
  }
}

/** Pure. */
export function outlineOf(plan: CompiledWorkspaceRuntimePlan): WorkspaceOutline {
  const { inventory, pipeline } = extensionsOf(plan);
  const { stages } = pipeline;
  const last = stages.includes('execute') ? 'execute' : stages.at(-1);
  const isFinal = plan.extensions?.process === undefined && !stages.includes('evaluate');
  const agents =
    inventory?.agents.map(({ name: id, description }) => ({ id, ...(description && { description }) })) ??
    agentsOf(plan).map(({ id }) => ({ id }));
  return { agents: byDefault(agents, leadAgent(plan).id), answeringStage: isFinal ? last : undefined };
}

/** The default agent comes first. An id that is not a token cannot be in a request: the default agent is `main` then. */
function byDefault(agents: readonly WorkspaceAgent[], leadId: string): readonly WorkspaceAgent[] {
  const lead = agents.find(({ id }) => id === leadId) ?? { id: leadId };
  const others = agents.filter(({ id }) => id !== leadId && isToken(id));
  return [isToken(leadId) ? lead : { ...lead, id: DEFAULT_AGENT }, ...others];
}
