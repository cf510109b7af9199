import type { AdapterEvent, ErrorInfo, JsonObject, JsonValue, Stage, Usage } from '@reins/contracts';

/**
 * The harness contract: what Reins asks of an execution boundary, and what it may say back. An adapter translates this to
 * one executor; it owns nothing of the run (no bus, no journal, no workspace rules).
 */
export interface HarnessAdapter {
  /** The name by which an operator maps stages to it: `pi`, `codex`, `openai_chat` … Lower case, a subject token. */
  readonly runtimeId: string;
  readonly capabilities: HarnessCapabilities;

  /** Whether this installation can run it now: its executable or endpoint answers. Bounded by `deadlineMs`; never rejects. */
  probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth>;

  /**
   * Whether the host may do this work in its own process, which spares it one of its own: only code of ours that starts nothing,
   * loads nothing of the workspace and cannot block. Undefined, or absent: it may not.
   */
  inProcessWork?(work: Pick<HarnessRun, 'instruction' | 'stage'>): InProcessWork | undefined;

  /** Starts one execution. Failures of any kind arrive through `execution.end`, never as an exception. */
  start(run: HarnessRun, sink: SignalSink): HarnessExecution;
}

export interface InProcessWork {
  /** It uses the files of its tree. Without, none are laid out, and the stage ends with the tree that it began with. */
  readonly files: boolean;
}

/** What a runtime can do; proven by the conformance suite, not only declared. */
export interface HarnessCapabilities {
  /** It calls the model that the run names. */
  readonly model: boolean;
  readonly systemPrompt: boolean;
  /** Its built-in tools can be narrowed to a list. */
  readonly toolSelection: boolean;
  /** Those tools, by every name that they can be asked for by: of nothing else is a model told. Absent: nobody knows, and all are assumed. */
  readonly builtinTools?: readonly string[];
  readonly mcp: 'none' | 'stdio' | 'http' | 'both';
  readonly resume: boolean;
  readonly images: boolean;
  readonly thinking: boolean;
  /** It edits files of the tree it is given. */
  readonly editsFiles: boolean;
}

export type HarnessHealth =
  | { readonly healthy: true; readonly version: string }
  | { readonly healthy: false; readonly version: string; readonly reason: string; readonly hint: string };

/** The installation, as far as a harness may see it: resolved settings of this runtime id and the model endpoints. */
export interface HarnessEnvironment {
  /** Settings of this runtime (`harness.<runtimeId>.*`), such as a command's path. */
  readonly settings: JsonObject;
  /** PATH for executors: where they and their tools find executables. */
  readonly path: string;
  /** Model endpoints by provider id. Their keys are secrets: they go to the child's environment or a file of its own home. */
  readonly providers: Readonly<Record<string, ModelEndpoint>>;
}

/** Where a model is reached. */
export interface ModelEndpoint {
  readonly api: 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sent with every call. May hold secrets. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** One execution: a stage run's work, everything resolved, on this machine. */
export interface HarnessRun {
  readonly effectId: string;
  readonly attempt: number;
  readonly stage: Stage;
  /** Unique; every process of the run carries it as `REINS_RUN_TOKEN`, so that none is left behind. */
  readonly runToken: string;
  /** The stage's tree, materialised; the only folder that the executor may change, unless `allowOutsideWorkDir`. */
  readonly workDir: string;
  /** The executor's own home: empty at first, removed afterwards. */
  readonly homeDir: string;
  /** Where the executor keeps its session; what a run leaves here is there again when the session goes on. */
  readonly sessionDir: string;
  readonly instruction: string;
  /** The user's message in full: the instruction with the contexts and attachments as text. */
  readonly prompt: string;
  readonly systemPrompt: string;
  /** Earlier context that is not the instruction, oldest first. */
  readonly contextMessages: readonly string[];
  readonly providerId: string;
  readonly modelId: string;
  readonly endpoint: ModelEndpoint;
  /** Raw, as the request carried it; an adapter maps it to its executor's levels. */
  readonly thinkingValue: string | null;
  /** Built-in tools that the stage may use; undefined = the executor's own choice. */
  readonly tools?: readonly string[];
  readonly mcpServers: readonly McpEndpoint[];
  /** Its own tools may leave `workDir`: whoever made the request said so. */
  readonly allowOutsideWorkDir?: boolean;
  /** The executor's session to go on with. */
  readonly harnessSessionId?: string;
  /** The answer must be JSON that fits this schema (an evaluate verdict, a workspace's output schema). */
  readonly outputSchema?: JsonObject;
  /** How often an answer that does not fit is asked for again. Default 2. */
  readonly outputRetries?: number;
  readonly attachments: readonly { readonly path: string; readonly mediaType: string }[];
  readonly deadlines: HarnessDeadlines;
  readonly environment: HarnessEnvironment;
}

/** Milliseconds. Each one that passes ends the execution with its own error code. */
export interface HarnessDeadlines {
  /** From start to end. */
  readonly totalMs: number;
  /** Until the executor's first sign of life. */
  readonly startupMs: number;
  /** Between two bytes of output. */
  readonly idleMs: number;
  /** Between two steps of progress (text, a tool call or result): a heartbeat is none. */
  readonly noProgressMs: number;
}

export interface McpEndpoint {
  readonly serverId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Takes the executor's signals, in order. Must not throw. */
export type SignalSink = (signal: AdapterEvent) => void;

export interface HarnessExecution {
  /** Settles exactly once, within the run's deadlines, after the last signal; never rejects. */
  readonly result: Promise<HarnessResult>;
  /** Asks it to stop: by protocol, then by signal, then by force. `end` tells when it has. Idempotent. */
  cancel(reason: string): void;
  /** Answers a question that ended as `waiting` where the executor can go on in place; false when it cannot. */
  answer(value: JsonValue): boolean;
}

/** Only an affirmative end is ok; what nobody saw end is unknown. */
export type HarnessResult =
  | { readonly status: 'ok'; readonly output: JsonValue; readonly usage?: Usage; readonly harnessSessionId?: string }
  | {
      readonly status: 'failed' | 'unknown';
      readonly error: ErrorInfo;
      readonly retryable: boolean;
      readonly usage?: Usage;
      readonly harnessSessionId?: string;
    }
  | { readonly status: 'cancelled'; readonly usage?: Usage }
  | {
      readonly status: 'waiting';
      readonly question: JsonValue;
      readonly usage?: Usage;
      readonly harnessSessionId?: string;
    };
