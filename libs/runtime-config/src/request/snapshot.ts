import type { CapabilityManifest } from '../capability/types.ts';
import type { ContextOutcome } from '../contexts/types.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import type { PromptSection } from '../prompt/sections.ts';
import { type RedactionRules, redact } from '../redact/redact.ts';
import type { HostRequest } from './host-request.ts';

/** A section of the prompt without its text, which the request already holds. */
export type SnapshotSection = Omit<PromptSection, 'content'> & { readonly length: number };

/**
 * The stored copy of what crossed the execution boundary, without secrets. It is kept per input, stage and attempt, so that a retry
 * never hides what was sent before it.
 */
export interface TurnRequestSnapshot {
  readonly schema_version: 1;
  readonly snapshot_kind: 'harness_host_request';
  readonly fingerprint: string;
  readonly workspace_id: string;
  readonly session_id: string;
  readonly input_id: string;
  readonly harness_id: string;
  readonly stage: HostRequest['stage'];
  readonly iteration: number;
  readonly raw_instruction: string;
  readonly runtime_config: {
    readonly mode: string;
    readonly prompt_sections: readonly SnapshotSection[];
    readonly prompt_cache_profile: PromptCacheProfile;
    readonly capability_manifest: CapabilityManifest;
  };
  /** What became of each context: a gap in the prompt has its reason here. */
  readonly contexts: readonly ContextOutcome[];
  readonly harness_request: HostRequest;
}

/** What a snapshot is made of. */
export interface SnapshotInput {
  readonly request: HostRequest;
  readonly rawInstruction: string;
  readonly mode: string;
  readonly sections: readonly PromptSection[];
  readonly manifest: CapabilityManifest;
  readonly contexts: readonly ContextOutcome[];
}

/** Makes the sanitised copy of a request. What the system computed itself is taken over as it is; everything else is redacted. */
export function turnRequestSnapshot(input: SnapshotInput, rules: RedactionRules): TurnRequestSnapshot {
  const { request } = input;
  const { run_started_payload: started, ...rest } = request;
  const { prompt_cache_profile: profile, instruction_preview: preview, ...startedRest } = started;
  const instruction = redact(input.rawInstruction, rules);
  return {
    schema_version: 1,
    snapshot_kind: 'harness_host_request',
    fingerprint: started.request_snapshot_fingerprint,
    workspace_id: request.workspace_id,
    session_id: request.session_id,
    input_id: request.input_id,
    harness_id: request.runtime_id,
    stage: request.stage,
    iteration: request.iteration,
    raw_instruction: instruction,
    runtime_config: {
      mode: input.mode,
      prompt_sections: input.sections.map(({ content, ...section }) => ({ ...section, length: content.length })),
      prompt_cache_profile: profile,
      capability_manifest: input.manifest,
    },
    contexts: input.contexts.map((context) => withCleanReason(context, rules)),
    harness_request: {
      ...redact(rest, rules),
      run_started_payload: {
        // Cut from what is clean already: a secret that is cut in two is not found.
        instruction_preview: instruction.slice(0, preview.length),
        ...redact(startedRest, rules),
        prompt_cache_profile: profile,
      },
    },
  };
}

/** Of what became of a context only the reason is not our own word. */
function withCleanReason(context: ContextOutcome, rules: RedactionRules): ContextOutcome {
  return context.reason === undefined ? context : { ...context, reason: redact(context.reason, rules) };
}
