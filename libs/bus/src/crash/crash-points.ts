import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Points between two steps whose order the guarantees of docs/architecture.md §4 depend on. The chaos runner kills
 * processes exactly there. Each comment states what has happened and what has not.
 */
export const CRASH_POINTS = {
  /** Gateway: the request is admitted and its idempotency key is stored, the command is not published. */
  'request.admitted': 'gateway',
  /** Gateway: the command is in the inbox, the record is not stored and the client has no response. */
  'command.published': 'gateway',
  /** Control bus: the former owner's durable is deleted, the new one is not created. */
  'durable.deleted': 'control-bus',
  /** Control bus: the commit is in the journal, its facts are not published. */
  'commit.appended': 'control-bus',
  /** Control bus: the facts are published, the session and the controls are not updated. */
  'facts.published': 'control-bus',
  /** Control bus: the reaction is complete, its trigger is not acknowledged. */
  'trigger.handled': 'control-bus',
  /** Plan compiler: the answer is in the inbox, the request is not acknowledged. */
  'plan.answered': 'plan-compiler',
  /** Runner prep: the answer is in the inbox, the request is not acknowledged. */
  'prepare.answered': 'runner-prep',
  /** Memory: the answer is in the inbox, the request is not acknowledged. */
  'memory.recalled': 'memory',
  /** Harness host: an attempt is claimed, no work has started. */
  'claim.taken': 'harness-host',
  /** Harness host: the answer is stored in the claim and not sent. */
  'answer.kept': 'harness-host',
  /** Harness host: the answer is in the inbox, the request is not acknowledged. */
  'stage.answered': 'harness-host',
  /** Projector: a batch is in Postgres, the next one has not started. */
  'batch.written': 'projector',
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** Subfolder whose files are named after message subjects. */
const POISONS = 'poison';

let folder: string | undefined;

/**
 * Arms crash points and poison messages: this process kills itself where the folder has a matching file.
 * @param dir the setting `chaos.crashPoints`
 */
export function armCrashPoints(dir: string): void {
  folder = dir;
}

/**
 * Kills the process with SIGKILL if the folder has a file with the point's name. The file is deleted first, so that it
 * happens once.
 */
export function crashPoint(point: CrashPoint): void {
  if (folder === undefined) return;
  try {
    unlinkSync(join(folder, point));
  } catch {
    return; // not requested, or another process was first
  }
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Kills the process with SIGKILL if the folder has a file `poison/<subject of the message>`. Unlike the file of a crash
 * point it stays: it kills every process that receives the message until the file is deleted.
 */
export function poisonPoint(message: { readonly subject: string }): void {
  if (folder === undefined || !existsSync(join(folder, POISONS, message.subject))) return;
  process.kill(process.pid, 'SIGKILL');
}
