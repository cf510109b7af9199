/** The outcome of loading a context. `unavailable`: the service that has it did not answer. */
export type ContextStatus = 'used' | 'empty' | 'timed_out' | 'disabled' | 'failed' | 'unavailable';

/** The result of a context loader: a value, or why there is none. */
export type Loaded<T> =
  | { readonly status: 'loaded'; readonly value: T }
  | { readonly status: Exclude<ContextStatus, 'used'>; readonly reason?: string };

/** The user of the session. */
export interface CurrentUser {
  readonly profile_id: string;
  readonly name: string | null;
  readonly name_source?: 'manual' | 'agent' | 'auth_fallback' | null;
}

/** A surface that the user has open. */
export interface OperatorSurface {
  readonly surface_id: string;
  readonly surface_type: 'browser' | 'editor' | 'terminal' | 'app_surface';
  readonly owner: 'user' | 'agent';
  readonly active: boolean;
  readonly mutability: 'inspect_only' | 'takeover_allowed' | 'agent_owned';
  readonly summary: string;
}

export interface OperatorSurfaceContext {
  readonly active_surface_id: string | null;
  readonly surfaces: readonly OperatorSurface[];
}

/** Information about the user that was inferred but not saved yet. */
export interface PendingMemory {
  readonly title: string;
  readonly summary: string;
  readonly evidence?: string | null;
}

/** A skill draft that the user accepted for further work. */
export interface EvolveCandidate {
  readonly candidate_id: string;
  readonly kind: string;
  readonly title: string;
  readonly summary: string;
  readonly slug?: string | null;
  readonly skill_path?: string | null;
  readonly markdown?: string | null;
}

/** How the previous run ended. */
export interface RecentRuntime {
  readonly summary?: string | null;
  readonly last_stop_reason?: string | null;
  readonly last_error?: string | null;
  readonly waiting_for_user?: boolean;
  /** The question that the user has not answered. */
  readonly open_question?: string | null;
}

/** An earlier turn of the session. */
export interface TurnSummary {
  readonly input_id?: string;
  readonly status: string;
  readonly stop_reason?: string | null;
  readonly summary: string;
  readonly completed_at?: string | null;
}

/** A file that earlier stages of the session changed. */
export interface ChangedFile {
  readonly path: string;
  readonly change: 'added' | 'modified' | 'deleted';
}

/**
 * What an executor without the conversation of the session needs to continue its work, also after another runtime: the
 * goal, what was decided in which turns, and the files that were changed.
 */
export interface SessionResume {
  /** The first message of the user. */
  readonly goal?: string | null;
  readonly files_changed?: readonly ChangedFile[];
  readonly recent_turns: readonly TurnSummary[];
  readonly recent_user_messages?: readonly string[];
  readonly compaction_boundary_id?: string | null;
  readonly compaction_boundary_summary?: string | null;
  readonly compaction_source?: string | null;
  readonly restoration_order?: readonly string[];
  readonly preserved_turn_input_ids?: readonly string[];
  readonly restored_memory_paths?: readonly string[];
  readonly session_memory_path?: string | null;
  readonly session_memory_excerpt?: string | null;
}

/** What was recalled from one namespace of the memory. */
export interface RecalledMemory {
  readonly namespace: string;
  readonly record_ids: readonly string[];
  /** A line for each record, with its id. */
  readonly text: string;
}

/** Notes that the agent keeps for itself in a session. */
export interface Scratchpad {
  readonly exists: boolean;
  /** Its path in the workspace. */
  readonly path?: string;
  readonly bytes?: number;
  readonly preview?: string | null;
}

/** The contexts of a run. An absent context was not requested. */
export interface StageContexts {
  readonly current_user?: Loaded<CurrentUser>;
  readonly operator_surface?: Loaded<OperatorSurfaceContext>;
  readonly pending_user_memory?: Loaded<readonly PendingMemory[]>;
  readonly evolve_candidate?: Loaded<EvolveCandidate>;
  readonly scratchpad?: Loaded<Scratchpad>;
  readonly recent_runtime?: Loaded<RecentRuntime>;
  readonly session_resume?: Loaded<SessionResume>;
  readonly recalled_memory?: Loaded<readonly RecalledMemory[]>;
}

export type ContextId = keyof StageContexts;

/** The recorded outcome of one context. */
export interface ContextOutcome {
  readonly id: ContextId;
  readonly status: ContextStatus;
  /** Estimated tokens of the text in the prompt. */
  readonly tokens: number;
  /** Estimated tokens that exceeded the budget and were cut. */
  readonly dropped_tokens: number;
  readonly reason?: string;
}
