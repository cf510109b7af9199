import type { Problem } from '@reins/contracts';
import type { ContextOutcome } from '../contexts/types.ts';
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
import { runAll } from './run-all.ts';
import { type AgentRuntimeConfig, projectAgentRuntimeConfig } from './runtime-config.ts';

/** A stage that is ready to be handed to its harness. */
export interface PreparedStage {
  readonly hostRequest: HostRequest;
  readonly snapshot: TurnRequestSnapshot;
  readonly fingerprint: string;
  readonly runtimeConfig: AgentRuntimeConfig;
  readonly contexts: readonly ContextOutcome[];
  readonly warnings: readonly Problem[];
}

/** What a preparation is made of, in this order. */
export type PrepareStep =
  | 'map_mcp_servers'
  | 'resolve_model'
  | 'project_runtime_config'
  | 'build_harness_host_request'
  | 'sanitize_turn_request';

/** Does a step of a preparation. Whoever wants to know what each one takes measures in here. */
export type StepRunner = <T>(name: PrepareStep, step: () => T) => T;

const NO_SECRETS: readonly string[] = [];

const justDoIt: StepRunner = (_name, step) => step();

/**
 * Makes the host request of one stage, its fingerprint and its sanitised copy. Everything follows from the input: no file, no
 * environment, no clock. What a run cannot go on without is thrown, all of it at once; the rest are warnings.
 */
export function prepareStage(input: PrepareStageInput, step: StepRunner = justDoIt): PreparedStage {
  const { mcp, model, attachments } = runAll({
    words: () => requireInstruction(input),
    mcp: () => step('map_mcp_servers', () => prepareMcp(input)),
    model: () => step('resolve_model', () => routeModel(input)),
    attachments: () => normalizeAttachments(input.attachments ?? []),
  });
  const projected = step('project_runtime_config', () => projectAgentRuntimeConfig(input, { mcp, model }));
  const { config, contexts, warnings } = projected;
  const { hostRequest, fingerprint } = step('build_harness_host_request', () =>
    builtRequest(input, { mcp, config, attachments }),
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

function builtRequest(
  input: PrepareStageInput,
  { mcp, config, attachments }: Omit<RequestParts, 'input' | 'instruction'>,
): Pick<PreparedStage, 'hostRequest' | 'fingerprint'> {
  const instruction = stageInstruction(input);
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
      message: 'the thinking value is none that is known; the executor keeps its own default',
      path: 'thinkingValue',
      hint: 'use off, minimal, low, medium, high, xhigh, or a number of tokens',
    },
  ];
}
