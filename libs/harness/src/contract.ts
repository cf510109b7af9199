import type { AdapterEvent, ErrorInfo, JsonObject, JsonValue, ProviderHealth, Stage, Usage } from '@reins/contracts';
import type { ModelFacts } from '@reins/model-catalog';
import type { ProcessSandbox } from './process/process-sandbox.ts';

/**
 * The harness contract between Reins and an executor. An adapter implements it for one executor. It has no access to
 * the bus, the journal or workspace rules.
 */
export interface HarnessAdapter {
  /** The name that operators map stages to: `pi`, `codex`, `openai_chat` … A subject token in lower case. */
  readonly runtimeId: string;
  readonly capabilities: HarnessCapabilities;
  /** The settings that the adapter reads from `harness.<runtimeId>`, by name. Absent: they are not checked. */
  readonly settings?: Readonly<Record<string, AdapterSetting>> | undefined;

  /**
   * Checks what a stage needs: the executable, its identity and version, and every provider (`probeProviders`). Costs no
   * model tokens. Bounded by `deadlineMs`; never rejects.
   */
  probe(environment: HarnessEnvironment, deadlineMs: number): Promise<HarnessHealth>;

  /**
   * Whether the host may do this work in its own process, which saves starting one. Only for adapters that start no
   * process, load no workspace code and cannot block. Undefined or absent: the work needs its own process.
   */
  inProcessWork?(work: Pick<HarnessRun, 'instruction' | 'stage'>): InProcessWork | undefined;

  /** Starts one execution. Failures are reported through `execution.result`, never as an exception. */
  start(run: HarnessRun, sink: AdapterEventSink): HarnessExecution;
}

/** The values of a setting: a string that is not blank, or a whole number from 0 (`count`) or 1 (`positive`). */
export type AdapterSetting = 'text' | 'count' | 'positive';

export interface InProcessWork {
  /** Whether the work uses the files of its tree. If not, no files are written and the stage returns its input tree. */
  readonly files: boolean;
}

/** The capabilities of a runtime. The conformance suite verifies them. */
export interface HarnessCapabilities {
  /** It calls the model of the run. */
  readonly model: boolean;
  readonly systemPrompt: boolean;
  /** Its built-in tools can be restricted to a list. */
  readonly toolSelection: boolean;
  /** Every name under which a built-in tool can be requested. Absent: unknown, so every name is assumed to be valid. */
  readonly builtinTools?: readonly string[];
  /** The names under which the model is offered built-in tools, by the name in requests, where the two differ. */
  readonly nativeToolNames?: Readonly<Record<string, string>>;
  /** It asks `callDecisions` before each call of a built-in tool. Without this, no stage runs under a policy. */
  readonly callDecisions?: boolean;
  readonly mcp: 'none' | 'stdio' | 'http' | 'both';
  readonly resume: boolean;
  readonly images: boolean;
  readonly thinking: boolean;
  /** It edits files of its tree. */
  readonly editsFiles: boolean;
}

/** `providers` has every configured provider, if the harness calls models. */
export type HarnessHealth = { readonly version: string; readonly providers?: readonly ProviderHealth[] } & (
  | { readonly healthy: true }
  | { readonly healthy: false; readonly reason: string; readonly hint: string }
);

/** The part of the installation that a harness can see: the settings of its runtime and the model endpoints. */
export interface HarnessEnvironment {
  /** The settings of this runtime (`harness.<runtimeId>.*`), such as the path of a command. */
  readonly settings: JsonObject;
  /** The PATH of executors and their tools. */
  readonly path: string;
  /** Model endpoints by provider id. Their keys are secrets: pass them in the environment or in a file. */
  readonly providers: Readonly<Record<string, ProviderEndpoint>>;
  /** What stages use unless their workspace or request names another model. Absent: the first provider. */
  readonly defaultModel?: DefaultModel;
  /** The run token of processes that a probe starts. A sweep finds them by it when their host was killed. */
  readonly probeToken?: string;
  /** The folder of executables that `reins harness install` has installed. Absent: there is none. */
  readonly harnessesDir?: string;
  /** The sandbox of every process that an adapter starts. Absent: `host.sandbox` is `off`. */
  readonly sandbox?: ProcessSandbox;
}

/** A provider, and the model of it that the installation selects. Without a model, the workspace selects one. */
export interface DefaultModel {
  readonly providerId: string;
  readonly modelId?: string;
}

/** The endpoint of a configured provider, and the setting that holds its key. */
export interface ProviderEndpoint extends ModelEndpoint {
  /** Absent: no key is configured. */
  readonly keySetting?: KeySetting;
}

/** Where the key of a provider comes from. Messages name it. */
export interface KeySetting {
  /** `providers.<id>.api_key`, `providers.<id>.api_key_env` or `providers.<id>.api_key_file`. */
  readonly path: string;
  /** The environment variable that holds the key. */
  readonly variable?: string;
  /** The file that holds the key. */
  readonly file?: string;
}

/** The endpoint of a model. */
export interface ModelEndpoint {
  readonly api: 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Sent with every call. May hold secrets. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The input of one execution: the work of a stage run with all references resolved for this machine. */
export interface HarnessRun {
  readonly effectId: string;
  readonly attempt: number;
  readonly stage: Stage;
  /** A unique token. Every process of the run has it as `REINS_RUN_TOKEN`, so that a sweep can find it. */
  readonly runToken: string;
  /** The materialised tree of the stage. The only folder that the executor may change, unless `allowOutsideWorkDir`. */
  readonly workDir: string;
  /** The home of the executor: empty at the start, removed afterwards. */
  readonly homeDir: string;
  /** The folder for the executor's session. Its content is restored when another run continues the session. */
  readonly sessionDir: string;
  readonly instruction: string;
  /** The complete user message: the instruction with the contexts and attachments as text. */
  readonly prompt: string;
  readonly systemPrompt: string;
  /** Earlier context that is not the instruction, oldest first. */
  readonly contextMessages: readonly string[];
  readonly providerId: string;
  readonly modelId: string;
  /** What is known about the model. Absent: nothing. */
  readonly model?: ModelFacts;
  readonly endpoint: ModelEndpoint;
  /** The value from the request; the adapter maps it to what its executor and the model take. */
  readonly thinkingValue: string | null;
  /** The built-in tools that the stage may use; undefined means the executor's default. */
  readonly tools?: readonly string[];
  readonly mcpServers: readonly McpEndpoint[];
  /** Where the host decides about calls of built-in tools. Absent: every call of an offered tool is allowed. */
  readonly callDecisions?: CallDecisions;
  /** Whether built-in tools may access paths outside `workDir`. Set by the sender of the request. */
  readonly allowOutsideWorkDir?: boolean;
  /** The id of the executor's session to continue. */
  readonly harnessSessionId?: string;
  /** The JSON Schema of the output, for a verdict or the output schema of a workspace. */
  readonly outputSchema?: JsonObject;
  /** How often the model is asked again for an output that matches. Default 2. */
  readonly outputRetries?: number;
  readonly attachments: readonly { readonly path: string; readonly mediaType: string }[];
  readonly deadlines: HarnessDeadlines;
  readonly environment: HarnessEnvironment;
}

/** Deadlines in milliseconds. Each has its own error code when it ends an execution. */
export interface HarnessDeadlines {
  /** For the whole execution. */
  readonly totalMs: number;
  /** Until the first output of the executor. */
  readonly startupMs: number;
  /** Between two bytes of output. Does not apply while a tool call is outstanding. */
  readonly idleMs: number;
  /**
   * Between two steps of progress: text, a tool call or a tool result. A heartbeat is not progress. Does not apply while
   * a tool call is outstanding.
   */
  readonly noProgressMs: number;
  /** For each tool call. Absent: calls are limited by `totalMs`, and by the timeout of their server. */
  readonly toolMs?: number;
}

/** A server of tools for the run, and the tools that it has: they do not change during the run. */
export interface McpEndpoint {
  readonly serverId: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly tools: readonly OfferedTool[];
}

/** Where the host of a run decides about calls of built-in tools. The headers authorize the run. */
export interface CallDecisions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A tool as it is declared to a model. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments, an object. */
  readonly parameters: JsonObject;
}

/** Receives the signals of the executor in order. Must not throw. */
export type AdapterEventSink = (signal: AdapterEvent) => void;

export interface HarnessExecution {
  /** Resolves once, within the run's deadlines, after the last signal. Never rejects. */
  readonly result: Promise<HarnessResult>;
  /** Stops the execution by protocol, SIGTERM and SIGKILL. `result` resolves when it has stopped. Idempotent. */
  cancel(reason: string): void;
  /** Answers the question of a `waiting` result. Returns false when the executor cannot continue in place. */
  answer(value: JsonValue): boolean;
}

/** The result of an execution. `ok` only when the executor reported success; `unknown` when it reported nothing. */
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
