import { hash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue, RunAddress } from '@reins/contracts';

/** One event of a babysitter journal. */
export interface LegacyLine {
  readonly type: string;
  readonly data?: JsonObject;
  readonly recordedAt?: string;
}

/** The other files of a babysitter run directory, by path. */
export interface LegacyOptions {
  readonly layoutVersion?: string;
  readonly files?: Readonly<Record<string, JsonValue>>;
  /** Other file names for the journal. */
  readonly names?: readonly string[];
}

const pretty = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const entryName = (seq: number, last = seq): string =>
  `${String(seq).padStart(6, '0')}.01M7XM92PW${'0'.repeat(14)}${String(last).padStart(2, '0')}.json`;

/** Writes a run directory like babysitter. @returns its address */
export function writeLegacyRun(
  root: string,
  runId: string,
  lines: readonly LegacyLine[],
  options: LegacyOptions = {},
): RunAddress {
  const at = (...parts: string[]) => join(root, runId, ...parts);
  mkdirSync(at('journal'), { recursive: true });
  const { layoutVersion = '2026.01-storage-preview', files = {} } = options;
  writeFileSync(
    at('run.json'),
    pretty({ runId, processId: 'p', layoutVersion, createdAt: '2026-01-01T00:00:00.000Z' }),
  );
  for (const [
    i,
    { type, data = {}, recordedAt = `2026-01-01T00:00:${String(i).padStart(2, '0')}.000Z` },
  ] of lines.entries()) {
    const event = { type, recordedAt, data };
    writeFileSync(
      at('journal', options.names?.[i] ?? entryName(i + 1)),
      pretty({ ...event, checksum: hash('sha256', pretty(event)) }),
    );
  }
  for (const [path, value] of Object.entries(files)) {
    mkdirSync(join(at(path), '..'), { recursive: true });
    writeFileSync(at(path), pretty(value));
  }
  return { workspaceId: 'local', runId };
}

export const CREATED_LINE: LegacyLine = {
  type: 'RUN_CREATED',
  data: { processId: 'p', entrypoint: { importPath: '../../process.mjs', exportName: 'process' } },
};

export const requestedLine = (effectId: string, slot: string, taskId = 'step', kind = 'node'): LegacyLine => ({
  type: 'EFFECT_REQUESTED',
  data: {
    effectId,
    invocationKey: `p:${slot}:${taskId}`,
    stepId: slot,
    taskId,
    kind,
    label: taskId,
    taskDefRef: `tasks/${effectId}/task.json`,
  },
});

export const resolvedLine = (effectId: string, more: JsonObject = {}): LegacyLine => ({
  type: 'EFFECT_RESOLVED',
  data: { effectId, status: 'ok', resultRef: `tasks/${effectId}/result.json`, ...more },
});

/** The result file of an effect: path and content. */
export const resultFile = (effectId: string, result: JsonValue): Readonly<Record<string, JsonValue>> => ({
  [`tasks/${effectId}/result.json`]: { effectId, taskId: 'step', status: 'ok', result, value: result },
});
