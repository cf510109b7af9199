import {
  type BlobRef,
  type Diagnostic,
  defined,
  type EventOf,
  type HarnessOffer,
  type PlanRecord,
  type Problem,
  parseJson,
  ReinsError,
  type SessionState,
} from '@reins/contracts';
import {
  type ChangedFile,
  type HarnessCapabilities,
  type Installation,
  jsonBytes,
  normalizeSessionKind,
  type PreparedStage,
  type PrepareStageInput,
  prepareStage,
  type Skill,
  type StageContexts,
  type StageHistory,
  sessionContexts,
  unseenSession,
  withChangedFiles,
  withFoundModels,
} from '@reins/runtime-config';
import { type AnswerFields, Memo } from '@reins/service-kit';
import { type CompiledWorkspaceRuntimePlan, planOfAgent } from '@reins/workspace-plan';
import { diff, type FollowedTree, followLinks, type Manifest, type Tree, type TreeStore } from '@reins/workspace-tree';
import type { Attachments } from './attachments/attachments.ts';
import type { BlobStore } from './blob-store.ts';
import { type ContextSources, loadContexts } from './contexts/load-contexts.ts';
import { loadOperatorSurface } from './contexts/operator-surface.ts';
import { recalledMemory } from './contexts/recalled-memory.ts';
import { hasScratchpad, loadScratchpad } from './contexts/scratchpad.ts';
import { type ContinuedSession, type StageRequest, stageRequest } from './stage-request.ts';
import { addFiles } from './staging/added-files.ts';
import { ignoredProfile } from './staging/ignored-profile.ts';
import { outputSchemas } from './staging/output-schema.ts';
import { type SkillLibrary, skillsOfAgent } from './staging/skill-library.ts';
import { type Desktop, stageBrowserTools, stageRuntimeTools } from './staging/surfaces.ts';
import { unlistedModel } from './staging/unlisted-model.ts';
import { invokedCommands, workspaceCommandIds } from './staging/workspace-commands.ts';
import { StepTimer } from './step-timer.ts';

type PrepareRequested = EventOf<'runtime.prepare.requested'>;

/** The stage starts from `tree`. Files are read through `followed`, in which links are resolved. */
interface OpenedTree {
  readonly tree: Tree;
  readonly followed: FollowedTree;
}

/** The dependencies of a preparation. */
export interface PreparerPorts {
  readonly blobs: BlobStore;
  readonly trees: TreeStore;
  readonly attachments: Attachments;
  readonly skills: SkillLibrary;
  readonly installation: Installation;
  readonly desktop: Desktop | undefined;
  readonly contextDeadlineMs: number;
  /** Why the limit of the cost cannot be evaluated for the model of a request. */
  readonly priceProblem: (model: string | null, limit: number | undefined) => Problem | undefined;
  readonly harnessOf: (runtimeId: string) => HarnessCapabilities;
  /** What live hosts offer for a runtime. */
  readonly offersOf: (runtimeId: string) => readonly HarnessOffer[];
  /** Known secrets, which must not be stored. */
  readonly secrets: readonly string[];
}

const CACHED_PLANS = 1_000;
const CACHED_TREES = 200;
const MAX_WARNINGS = 50;

/** Prepares stages. The steps run in a fixed order, and each is measured by name. */
export class Preparer {
  readonly #ports: PreparerPorts;
  /** Plans by blob and agent. The same object is used for every request, so that derived values stay cached. */
  readonly #plans = new Memo<CompiledWorkspaceRuntimePlan>(CACHED_PLANS);
  readonly #trees = new Memo<OpenedTree>(CACHED_TREES);

  constructor(ports: PreparerPorts) {
    this.#ports = ports;
  }

  /** @throws ReinsError with all problems that prevent the stage */
  async prepare(event: PrepareRequested): Promise<AnswerFields<'runtime.prepare.completed'>> {
    const { installation, skills, attachments, desktop, harnessOf, secrets, blobs } = this.#ports;
    const { stage, iteration, runtimeId, workspaceId, sessionId, requestId } = event;
    const timer = new StepTimer();
    const request = stageRequest(event);
    const harness = harnessOf(runtimeId);
    const offers = this.#ports.offersOf(runtimeId);
    const kind = normalizeSessionKind(request.context.sessionKind);

    const [plan, { tree, followed }] = await Promise.all([
      timer.step('load_runtime_plan', () => this.#plan(event)),
      timer.step('open_workspace_tree', () => this.#tree(event.tree)),
    ]);
    // Before the first stage: later, a call without a known price would fail.
    const unpriced = this.#ports.priceProblem(request.model, plan.extensions?.budgets?.max_cost_usd);
    if (unpriced && harness.modelClient === 'required') throw new ReinsError(unpriced);
    const browser = timer.run('stage_browser_tools', () => stageBrowserTools(harness, kind, desktop));
    const runtimeToolIds = timer.run('stage_runtime_tools', () =>
      stageRuntimeTools(harness, installation.runtimeApiBaseUrl ?? undefined),
    );
    const { found, unchangedSkillIds } = await timer.step('resolve_workspace_skills', async () => {
      const found = skillsOfAgent(await skills.of(followed, plan.extensions?.inventory?.skills), plan);
      return { found, unchangedSkillIds: await this.#unchangedSkills(request.revision, followed, found.skills) };
    });
    const commands = await timer.step('stage_workspace_commands', async () => ({
      commandIds: harness.commands ? workspaceCommandIds(followed.manifest) : [],
      invokedCommands: await invokedCommands(request.instruction, followed),
    }));
    const output = await timer.step('resolve_output_schema', () => outputSchemas(plan, stage, followed));
    const attached = await timer.step('read_attachments', () => attachments.read(request.attachments));
    const sources = this.#sources(event, request, tree, browser ? desktop : undefined);
    const contexts = await loadContexts(sources, {
      deadlineMs: this.#ports.contextDeadlineMs,
      timer,
    });
    const continued = request.continued && continuedFrom(request, request.continued, event, contexts);
    const stagedTree = await timer.step('lay_out_files', () =>
      this.#addFiles(tree, [...attached.files, ...skills.files]),
    );
    const prepared = prepareStage(
      {
        plan,
        installation: { ...installation, providers: withFoundModels(installation.providers, providersIn(offers)) },
        harness,
        stage,
        iteration,
        runtimeId,
        request: {
          workspaceId,
          sessionId,
          requestId,
          sessionKind: kind,
          actor: request.context.actor,
          debug: request.context.debug,
          boundaryOverride: request.context.boundaryOverride,
        },
        instruction: request.instruction,
        selectedModel: request.model,
        thinkingValue: request.thinkingValue,
        attachments: attached.inputs,
        outputSchema: request.context.outputSchema,
        history: withEarlier(request.history, request.session),
        contexts,
        ...(continued && { continued, harnessSessionId: request.continued?.harnessSessionId ?? null }),
        surfaces: {
          skills: found.skills,
          unchangedSkillIds,
          ...commands,
          runtimeToolIds,
          schemas: output.schemas,
          ...(browser && { browser }),
        },
        inputTree: stagedTree.treeId,
        secrets,
      },
      timer.run,
    );
    const [hostRequestRef, snapshotRef] = await timer.step('persist_turn_request_snapshot', () =>
      Promise.all([store(blobs, prepared.hostRequest), store(blobs, prepared.snapshot)]),
    );
    const problems = [
      ...request.context.problems,
      ...found.problems,
      ...output.problems,
      ...attached.problems,
      ...ignoredProfile(plan, event),
      ...unlistedModel(prepared.hostRequest, offers),
      ...prepared.warnings,
    ];
    return {
      hostRequestRef,
      snapshotRef,
      fingerprint: prepared.fingerprint,
      timings: timer.timings,
      ...defined({ contexts: outcomesOf(prepared) }),
      warnings: problems.slice(0, MAX_WARNINGS).map(warningOf),
      modelSource: prepared.runtimeConfig.model_source,
      ...(stagedTree.treeId !== event.tree && { tree: stagedTree.treeId }),
    };
  }

  #sources(
    event: PrepareRequested,
    { context, session, revision }: StageRequest,
    tree: Tree,
    desktop: Desktop | undefined,
  ): ContextSources {
    const { session_resume: resume, recent_runtime } = sessionContexts(session);
    return {
      recent_runtime,
      session_resume: async () => withChangedFiles(resume, await this.#changedFiles(revision, tree).catch(() => [])),
      recalled_memory: recalledMemory(event.context?.recalledMemory),
      current_user: context.currentUser,
      operator_surface:
        desktop === undefined
          ? { status: 'disabled', reason: 'the run has no browser' }
          : (signal) => loadOperatorSurface(desktop, event.workspaceId, signal),
      pending_user_memory: context.pendingMemory,
      evolve_candidate: context.evolveCandidate,
      scratchpad: hasScratchpad(tree) ? () => loadScratchpad(tree) : { status: 'empty' },
    };
  }

  /** The files that differ from the revision, without those of Reins. */
  async #changedFiles(revision: string | undefined, tree: Tree): Promise<readonly ChangedFile[]> {
    if (revision === undefined || revision === tree.treeId) return [];
    const changes = diff((await this.#tree(revision)).tree.manifest, tree.manifest);
    return changes.flatMap(({ path, change }) => (path.startsWith('.reins/') ? [] : [{ path, change }]));
  }

  /** The skills with the SKILL.md of the revision, and those of the installation. Without a revision, only the latter. */
  async #unchangedSkills(
    revision: string | undefined,
    { manifest }: FollowedTree,
    skills: readonly Skill[],
  ): Promise<readonly string[]> {
    const isGranting = skills.some(({ grants }) => grants.tools.length > 0 || grants.commands.length > 0);
    const original = isGranting && revision !== undefined ? (await this.#tree(revision)).followed.manifest : undefined;
    const hashIn = (tree: Manifest | undefined, path: string) => tree?.get(path)?.sha256;
    return skills
      .filter(
        ({ origin, location }) =>
          origin === 'embedded' || (original && hashIn(original, location) === hashIn(manifest, location)),
      )
      .map(({ id }) => id);
  }

  #plan({ planRef, agentId }: PrepareRequested): Promise<CompiledWorkspaceRuntimePlan> {
    const { blobs } = this.#ports;
    return this.#plans.get(`${planRef.sha256} ${agentId}`, async () => {
      const record = parseJson(await blobs.get(planRef)) as PlanRecord;
      return planOfAgent(record.plan as unknown as CompiledWorkspaceRuntimePlan, agentId);
    });
  }

  #tree(treeId: string): Promise<OpenedTree> {
    return this.#trees.get(treeId, async () => {
      const tree = await this.#ports.trees.open(treeId);
      return { tree, followed: await followLinks(tree) };
    });
  }

  async #addFiles(tree: Tree, files: Parameters<typeof addFiles>[1]): Promise<Tree> {
    const added = addFiles(tree, files);
    if (added !== tree) await this.#ports.trees.put(added, { base: [tree.treeId] });
    return added;
  }
}

/**
 * The contexts of a stage that continues a session of its executor. A session of this request has everything but the
 * results of the stages since then: its brief, and its own last output, are part of the conversation.
 */
function continuedFrom(
  { history, session }: StageRequest,
  { requestId }: ContinuedSession,
  { stage }: PrepareRequested,
  contexts: StageContexts,
): Pick<PrepareStageInput, 'history' | 'contexts'> {
  if (requestId !== undefined)
    return {
      history: withEarlier(history, unseenSession(session, requestId)),
      contexts: { ...contexts, ...sessionContexts(unseenSession(session, requestId)) },
    };
  const { brief: _, execution, reflection, ...rest } = history;
  return {
    history: {
      ...rest,
      ...(stage !== 'execute' && { execution: execution ?? null }),
      ...(stage !== 'reflect' && { reflection: reflection ?? null }),
    },
  };
}

/** The history, with what the last request of the session left. */
const withEarlier = (history: StageHistory, { endedStages = [] }: SessionState): StageHistory => ({
  ...history,
  handoffs: [...endedStages, ...(history.handoffs ?? [])],
});

const store = (blobs: BlobStore, value: object): Promise<BlobRef> =>
  // Each document contains its request id, so it cannot exist in the store yet.
  blobs.put(jsonBytes(value), { isNew: true });

const providersIn = (offers: readonly HarnessOffer[]) => offers.flatMap(({ providers = [] }) => providers);

function outcomesOf({ contexts }: PreparedStage): AnswerFields<'runtime.prepare.completed'>['contexts'] {
  return contexts.map(({ id, status, tokens, dropped_tokens: droppedTokens, reason }) => ({
    id,
    status,
    tokens,
    droppedTokens,
    ...defined({ reason }),
  }));
}

function warningOf({ code, message, path, hint }: Problem): Diagnostic {
  return {
    severity: 'warning',
    code,
    message,
    ...defined({ path, hint }),
  };
}
