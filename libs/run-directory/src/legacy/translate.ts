import { defined, type ErrorInfo, type JsonObject, type JsonValue, type RunAddress } from '@reins/contracts';
import { BARE_RUN, type DatedDraft, type EntryDraft, NO_LIMIT_MS, UNVERIFIED_ARGS, WAIT_LIMITS } from '@reins/journal';
import type { LegacyEvent, LegacyFiles } from './legacy-files.ts';

/**
 * Translates one event of a babysitter journal. An event without a counterpart becomes a note, so that nothing is lost.
 */
export function translateEvent(event: LegacyEvent, files: LegacyFiles, run: RunAddress): DatedDraft {
  const translate = TRANSLATE[event.type] ?? note;
  return { draft: translate(event, files, run), recordedAt: event.recordedAt };
}

type Translate = (event: LegacyEvent, files: LegacyFiles, run: RunAddress) => EntryDraft;

const TRANSLATE: Readonly<Record<string, Translate | undefined>> = {
  RUN_CREATED: runCreated,
  PROCESS_ASSIGNED: processAssigned,
  PROCESS_CODE_HASH_CHANGED: codeChanged,
  PROCESS_LOG: ({ data }) => ({
    type: 'PROCESS_LOG',
    data: { ...(isText(data.label) && { label: data.label }), message: data.message ?? null },
  }),
  PROCESS_RUNTIME_ERROR: processError,
  EFFECT_REQUESTED: requested,
  EFFECT_RESOLVED: resolved,
  EFFECT_CANCELLED: ({ data }) => ({
    type: 'EFFECT_CANCELLED',
    data: {
      effectId: String(data.effectId),
      attempt: 1,
      confirmed: true,
      ...(isText(data.reason) && { reason: data.reason }),
    },
  }),
  EFFECT_PROGRESS: progress,
  RUN_COMPLETED: (_, files) => ({ type: 'RUN_COMPLETED', data: { output: files.json('state/output.json') ?? null } }),
  RUN_FAILED: ({ data }) => ({ type: 'RUN_FAILED', data: { error: errorOf(data.error) } }),
  RUN_HALTED: ({ data }) => ({
    type: 'RUN_HALTED',
    data: {
      ...(isText(data.reason) && { reason: data.reason }),
      ...(data.payload != null && { payload: data.payload }),
    },
  }),
};

/** Keeps an event as a log entry. */
function note({ type, data }: LegacyEvent): EntryDraft {
  return { type: 'PROCESS_LOG', data: { label: `babysitter ${type}`, message: data } };
}

function runCreated({ data }: LegacyEvent, files: LegacyFiles, { workspaceId, runId }: RunAddress): EntryDraft {
  const inputs = files.json(data.inputsRef) ?? files.json('inputs.json') ?? null;
  const process = { id: processOf(data), codeHash: isText(data.processCodeHash) ? data.processCodeHash : 'unknown' };
  const owner = { workspaceId, sessionId: 'local', agentId: 'local', revision: UNVERIFIED_ARGS };
  const { governance, nonInteractive } = files.object('run.json') ?? {};
  const granted = {
    ...defined({ governance }),
    ...(nonInteractive === true && { nonInteractive }),
  };
  const metadata = Object.keys(granted).length === 0 ? {} : { metadata: granted };
  return { type: 'RUN_CREATED', data: { ...owner, process, inputs, session: {}, idempotencyKey: runId, ...metadata } };
}

/** `<path>#<export>`, or the id of a run without a process. */
function processOf({ entrypoint }: JsonObject): string {
  const { importPath, exportName } = (entrypoint ?? {}) as JsonObject;
  if (!isText(importPath)) return BARE_RUN;
  return isText(exportName) ? `${importPath}#${exportName}` : importPath;
}

function processAssigned({ data }: LegacyEvent, files: LegacyFiles): EntryDraft {
  const inputs = files.json(data.inputsRef) ?? files.json('inputs.json');
  const process = { id: processOf(data), codeHash: isText(data.processCodeHash) ? data.processCodeHash : 'unknown' };
  return { type: 'PROCESS_ASSIGNED', data: { process, ...defined({ inputs }) } };
}

function codeChanged({ data }: LegacyEvent): EntryDraft {
  const { previousProcessCodeHash: from, processCodeHash: to } = data;
  return {
    type: 'PROCESS_CODE_CHANGED',
    data: { from: isText(from) ? from : 'unknown', to: isText(to) ? to : 'unknown' },
  };
}

function processError({ data, recordedAt }: LegacyEvent): EntryDraft {
  const expiresAt = later(recordedAt, NO_LIMIT_MS);
  const { effectId } = (data.lastEffect ?? {}) as JsonObject;
  return {
    type: 'PROCESS_RUNTIME_ERROR',
    data: { error: errorOf(data.error), expiresAt, ...(isText(effectId) && { effectId }) },
  };
}

function progress(event: LegacyEvent): EntryDraft {
  const { effectId, progressPercent: percent, progressLabel: label } = event.data;
  if (!isText(effectId)) return note(event);
  const done = typeof percent === 'number' && percent >= 0 && percent <= 100 ? { percent } : {};
  return { type: 'EFFECT_PROGRESS', data: { effectId, ...done, ...(isText(label) && { label }) } };
}

function requested({ data, recordedAt }: LegacyEvent, files: LegacyFiles): EntryDraft {
  const effectId = String(data.effectId);
  const task = files.object(data.taskDefRef) ?? {};
  const label = isText(data.label) ? { label: data.label } : {};
  const kind = OWN_KINDS[String(data.taskId)] ?? 'task';
  const request = REQUESTS[kind](data, task, files, recordedAt);
  const key = String(data.invocationKey);
  return {
    type: 'EFFECT_REQUESTED',
    data: { effectId, kind, attempt: 1, key, argsHash: UNVERIFIED_ARGS, request, limits: WAIT_LIMITS, ...label },
  };
}

/** Tasks of the babysitter runtime itself. Tasks that a process defines stay tasks, whatever their kind. */
const OWN_KINDS: Readonly<Record<string, 'breakpoint' | 'sleep' | undefined>> = {
  '__sdk.breakpoint': 'breakpoint',
  '__sdk.sleep': 'sleep',
};

const REQUESTS = {
  task: ({ kind, taskId, label, inputsRef }: JsonObject, task: JsonObject, files: LegacyFiles): JsonObject => {
    const args = task.inputs ?? files.json(inputsRef) ?? files.json(task.inputsRef);
    return {
      kind: isText(kind) ? kind : 'unknown',
      taskId,
      label: label ?? taskId,
      ...defined({ args }),
      definition: task,
    };
  },
  breakpoint: (
    { effectId, label }: JsonObject,
    { metadata = {} }: JsonObject,
    _: LegacyFiles,
    at: string,
  ): JsonObject => {
    const subject = { kind: 'breakpoint', label, detail: metadata };
    return { approvalId: effectId, subject, expiresAt: later(at, 10 * NO_LIMIT_MS) };
  },
  sleep: (_: JsonObject, task: JsonObject, __: LegacyFiles, at: string): JsonObject => {
    const { iso } = (task.sleep ?? task.metadata ?? {}) as JsonObject;
    const until = isText(iso) ? Date.parse(iso) : Number.NaN;
    // A sleep without a known time does not end by itself. It can be answered manually.
    return { expiresAt: Number.isNaN(until) ? later(at, 10 * NO_LIMIT_MS) : new Date(until).toISOString() };
  },
};

function resolved({ data }: LegacyEvent, files: LegacyFiles): EntryDraft {
  const effectId = String(data.effectId);
  const result = files.object(data.resultRef) ?? files.object(`tasks/${effectId}/result.json`);
  if (data.status === 'error') {
    const error = (result?.error ?? data.error ?? {}) as JsonObject;
    return {
      type: 'EFFECT_RESOLVED',
      data: { effectId, attempt: 1, status: 'error', error: errorOf(error), value: { error } },
    };
  }
  return { type: 'EFFECT_RESOLVED', data: { effectId, attempt: 1, status: 'ok', value: answerOf(result, files) } };
}

/** The answer in an intact result file, in the form that Reins uses for its kind. */
export function answerOf(result: JsonObject | undefined, files: LegacyFiles): JsonValue {
  const value = result?.result ?? result?.value ?? files.json(result?.resultRef) ?? null;
  return String(result?.taskId).startsWith('__sdk.breakpoint') ? value : { value };
}

/** The error that the process sees is stored separately. */
export function errorOf(error: JsonValue | undefined): ErrorInfo {
  const { name, message } = (typeof error === 'object' && error !== null ? error : {}) as JsonObject;
  return {
    code: 'process_failed',
    message: isText(message) ? message : isText(name) ? name : 'the error has no message',
    ...(isText(name) && { name }),
  };
}

const later = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
const isText = (value: JsonValue | undefined): value is string => typeof value === 'string' && value.trim() !== '';
