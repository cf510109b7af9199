/**
 * The harness contract, the registry, the built-in adapters, and the building blocks of adapters. An adapter
 * implements the contract for one executor; it has no access to the bus, the journal or workspaces.
 */

export { BUILT_IN_ADAPTERS } from './adapters/built-in.ts';
export { codexAdapter } from './adapters/codex/adapter.ts';
export { echoAdapter } from './adapters/echo/adapter.ts';
export { LITELLM_PROVIDER } from './adapters/litellm/proxy.ts';
export { openaiChatAdapter } from './adapters/openai_chat/adapter.ts';
export { piAdapter } from './adapters/pi/adapter.ts';
export type * from './contract.ts';
export { INSTALLABLE_RUNTIMES, type InstallableRuntime, installableRuntime } from './executables/catalog.ts';
export { type Installation, type InstallOptions, installRuntime } from './executables/install.ts';
export { type InstalledRuntime, installedRuntime, removeRuntime } from './executables/installed.ts';
export { relocateEnvironment } from './executables/virtual-environment.ts';
export { childEnvironment, RUN_TOKEN } from './process/environment.ts';
export {
  HarnessProcess,
  type HarnessProcessListener,
  type HarnessProcessSpec,
  type ProcessExit,
  type ShutdownTimeouts,
} from './process/harness-process.ts';
export type { ProcessNetwork, ProcessSandbox } from './process/process-sandbox.ts';
export { listRunProcesses, type RunProcess } from './process/process-table.ts';
export { resumeRuns, suspendRuns } from './process/suspend.ts';
export { sweep, sweepRun } from './process/sweep.ts';
export { TailBuffer } from './process/tail-buffer.ts';
export { requireApiKey } from './providers/vendor-login.ts';
export { adapterSettingsProblems } from './registry/adapter-settings.ts';
export {
  type NamedRuntime,
  offeredRuntimes,
  permittedRuntimes,
  profileRuntimes,
  type RuntimeSettings,
} from './registry/named-runtimes.ts';
export { createRegistry, type HarnessRegistry, unknownRuntime } from './registry/registry.ts';
export { CUT, type OutputCheck, OutputValidator } from './structured/output-validator.ts';
export { type CallDecision, type CallPolicy, decideCall, refusalOf } from './tools/decide-call.ts';
export { CALL_ID_FIELD, QUESTION_FIELD, questionOf } from './tools/question.ts';
