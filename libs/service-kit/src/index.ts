export { type AnswerFields, answerDeadLetters, sendAnswer, type WorkRequest } from './answers.ts';
export { BusModule } from './boot/bus.module.ts';
export { ENVIRONMENT, type Environment, processEnvironment } from './boot/environment.ts';
export { runService, STOP_DEADLINE_MS } from './boot/run-service.ts';
export { BUS, LOG, type ServiceContext, TELEMETRY } from './boot/service-context.ts';
export {
  type RunningService,
  SERVICE_NAMES,
  type ServiceDefinition,
  type ServiceName,
} from './boot/service-definition.ts';
export { shutDownWithError } from './boot/shut-down-with-error.ts';
export { startService } from './boot/start-service.ts';
export { HarnessWatch } from './harnesses/harness-watch.ts';
export { requiredRuntimes } from './harnesses/required-runtimes.ts';
export { recordRunningProfile } from './harnesses/running-profile.ts';
export { type RuntimeHealth, type StageRuntime, stageRuntimes } from './harnesses/stage-runtimes.ts';
export { Health, type Readiness, type ReadinessCheck } from './health/health.ts';
export { hashSecret, type NewApiKey, newApiKey, parseApiKey } from './keys/api-key.ts';
export { type LogReading, type LogStart, OnLog } from './log/on-log.ts';
export { createLogger, type Logger } from './logging/logger.ts';
export {
  METRICS,
  type MetricDefinition,
  newCounter,
  newGauge,
  newHistogram,
  newLabelledGauge,
} from './metrics/metrics.ts';
export { StreamMonitor } from './metrics/stream-monitor.ts';
export { readRevision } from './read-revision.ts';
export { loadSettings } from './settings/load-settings.ts';
export { ProviderModelSettings, ProviderSettings } from './settings/model-settings.ts';
export * from './settings/settings.ts';
export { TelemetrySettings } from './settings/telemetry-settings.ts';
export { Memo } from './support/memo.ts';
export { messageAttributes, runAttributes } from './telemetry/semantics.ts';
export { type EndedSpan, NO_TELEMETRY, type SpanAttributes, type Telemetry } from './telemetry/telemetry.ts';
export {
  childContext,
  readTrace,
  type SpanContext,
  spanIdOf,
  writeTrace,
} from './telemetry/trace-context.ts';
export { openTrees } from './trees.ts';
