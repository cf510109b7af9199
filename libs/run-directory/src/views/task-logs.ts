import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../store/files.ts';
import type { RunPaths } from '../store/layout.ts';

/** Stores the output of a task. @returns the run-relative paths */
export function taskLogs(
  paths: RunPaths,
  effectId: string,
  { stdout, stderr }: { readonly stdout?: string; readonly stderr?: string },
): { readonly stdoutRef?: string; readonly stderrRef?: string } {
  const write = (name: string, text: string): string => {
    mkdirSync(join(paths.tasks, effectId), { recursive: true });
    replaceFile(join(paths.tasks, effectId, name), text, { durable: true });
    return `tasks/${effectId}/${name}`;
  };
  return {
    ...(stdout !== undefined && { stdoutRef: write('stdout.log', stdout) }),
    ...(stderr !== undefined && { stderrRef: write('stderr.log', stderr) }),
  };
}
