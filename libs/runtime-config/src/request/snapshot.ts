import type { CapabilityManifest } from '../capability/types.ts';
import type { ContextOutcome } from '../contexts/types.ts';
import type { PromptCacheProfile } from '../prompt/cache-profile.ts';
import type { PromptSection } from '../prompt/sections.ts';
import { type RedactionRules, redact } from '../redact/redact.ts';
import type { HostRequest } from './host-request.ts';

/** A section of the prompt without its text, which is part of the request. */
export type SnapshotSection = Omit<PromptSection, 'content'> & { readonly length: number };

/**
 * The stored, redacted copy of a host request. It is stored per input, stage and attempt, so that a retry does not
 * overwrite earlier ones.
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
  /** The outcome of each context, which explains gaps in the prompt. */
  readonly contexts: readonly ContextOutcome[];
  readonly harness_request: HostRequest;
}

/** The input of a snapshot. */
export interface SnapshotInput {
  readonly request: HostRequest;
  readonly rawInstruction: string;
  readonly mode: string;
  readonly sections: readonly PromptSection[];
  readonly manifest: CapabilityManifest;
  readonly contexts: readonly ContextOutcome[];
}

/**
 * Builds the redacted copy of a request. Values that the system computed are copied unchanged; everything else is
 * redacted.
 */
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
    contexts: input.contexts.map((context) => withRedactedReason(context, rules)),
    harness_request: {
      ...redact(rest, rules),
      run_started_payload: {
        // The preview is cut from the redacted text, because a secret that is cut in two would not be found.
        instruction_preview: instruction.slice(0, preview.length),
        ...redact(startedRest, rules),
        prompt_cache_profile: profile,
      },
    },
  };
}

/** Only the reason of a context outcome may contain foreign text. */
function withRedactedReason(context: ContextOutcome, rules: RedactionRules): ContextOutcome {
  return context.reason === undefined ? context : { ...context, reason: redact(context.reason, rules) };
}
