import { type Problem, ReinsError } from '@reins/contracts';
import type { ContextOutcome } from '../contexts/types.ts';
import { normalizeSessionKind, type SessionKind } from '../harness.ts';
import { parseThinking } from '../model/thinking.ts';
import { normalizeAttachments } from '../request/attachments.ts';
import { requestFingerprint } from '../request/fingerprint.ts';
import type { HostRequest } from '../request/host-request.ts';
import { type TurnRequestSnapshot, turnRequestSnapshot } from '../request/snapshot.ts';
import { unusedGrants } from '../skills/policy.ts';
import { hostRequestBody, type RequestParts, startedPayload } from './build-request.ts';
import type { PrepareStageInput } from './input.ts';
import { requireInstruction, stageInstruction } from './instruction.ts';
import { knownSecrets } from './known-secrets.ts';
import { prepareMcp } from './mcp.ts';
import { routeModel } from './model.ts';
import { narrowedPlan } from './narrowed-plan.ts';
import { runAll } from './run-all.ts';
import { type AgentRuntimeConfig, projectAgentRuntimeConfig } from './runtime-config.ts';

/** A prepared stage: everything that its harness needs. */
export interface PreparedStage {
  readonly hostRequest: HostRequest;
  readonly snapshot: TurnRequestSnapshot;
  readonly fingerprint: string;
  readonly runtimeConfig: AgentRuntimeConfig;
  readonly contexts: readonly ContextOutcome[];
  readonly warnings: readonly Problem[];
}

/** The steps of a preparation, in execution order. */
export type PrepareStep =
  | 'map_mcp_servers'
  | 'resolve_model'
  | 'project_runtime_config'
  | 'build_harness_host_request'
  | 'sanitize_turn_request';

/** Runs one step of a preparation. Pass a custom runner to measure the steps. */
export type StepRunner = <T>(name: PrepareStep, step: () => T) => T;

const NO_SECRETS: readonly string[] = [];

const runDirectly: StepRunner = (_name, step) => step();

/**
 * Prepares the host request of one stage, its fingerprint and its redacted snapshot. Pure: no files, no environment, no
 * clock.
 * @throws ReinsError with all problems that prevent the run; other problems are returned as `warnings`
 */
export function prepareStage(unnarrowed: PrepareStageInput, step: StepRunner = runDirectly): PreparedStage {
  const kind = normalizeSessionKind(unnarrowed.request.sessionKind);
  assertNarrowable(unnarrowed, kind);
  const input = { ...unnarrowed, plan: narrowedPlan(unnarrowed.plan, kind) };
  const { mcp, model, attachments } = runAll({
    instruction: () => requireInstruction(input),
    mcp: () => step('map_mcp_servers', () => prepareMcp(input)),
    model: () => step('resolve_model', () => routeModel(input)),
    attachments: () => normalizeAttachments(input.attachments ?? []),
  });
  const projected = step('project_runtime_config', () => projectAgentRuntimeConfig(input, { mcp, model }));
  const { config, contexts, warnings } = projected;
  const { hostRequest, fingerprint } = step('build_harness_host_request', () =>
    buildRequest(input, { mcp, config, attachments }),
  );
  const snapshot = step('sanitize_turn_request', () =>
    turnRequestSnapshot(
      {
        request: hostRequest,
        rawInstruction: input.instruction,
        mode: config.mode,
        sections: config.prompt_sections,
        manifest: config.capability_manifest,
        contexts,
      },
      { secrets: knownSecrets(input.plan, input.secrets ?? NO_SECRETS) },
    ),
  );
  return {
    hostRequest,
    snapshot,
    fingerprint,
    runtimeConfig: config,
    contexts,
    warnings: [
      ...warnings,
      ...unusedGrants(input.surfaces?.skills ?? [], hostRequest.gated_tools),
      ...thinkingWarnings(input.thinkingValue),
    ],
  };
}

/**
 * An onboarding session may use few tools, so its executor must not have others.
 * @throws ReinsError `harness_unsupported`
 */
function assertNarrowable({ harness, runtimeId }: PrepareStageInput, kind: SessionKind): void {
  if (kind !== 'onboarding' || harness.toolSelection !== false || harness.modelClient !== 'required') return;
  const message = `the runtime ${runtimeId} cannot restrict its own tools, as an onboarding session requires`;
  throw new ReinsError({ code: 'harness_unsupported', message, path: 'runtimeId' });
}

function buildRequest(
  input: PrepareStageInput,
  { mcp, config, attachments }: Omit<RequestParts, 'input' | 'instruction'>,
): Pick<PreparedStage, 'hostRequest' | 'fingerprint'> {
  const { capabilities, mcp_tool_aliases: aliases } = config.capability_manifest;
  const instruction = stageInstruction(input, { capabilities, aliases, servers: mcp.names });
  const request = hostRequestBody({ input, mcp, config, instruction, attachments });
  const fingerprint = requestFingerprint(request, {
    profile: config.prompt_cache_profile,
    manifest: config.capability_manifest,
    servers: mcp.names,
  });
  return {
    hostRequest: { ...request, run_started_payload: startedPayload({ input, mcp, config, fingerprint }) },
    fingerprint,
  };
}

function thinkingWarnings(value: string | null | undefined): readonly Problem[] {
  if (parseThinking(value).known) return [];
  return [
    {
      code: 'thinking_value_unknown',
      message: 'unknown thinking value; the executor uses its default',
      path: 'thinkingValue',
      hint: 'Use off, minimal, low, medium, high, xhigh, or a number of tokens.',
    },
  ];
}
