import { existsSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Moments between two steps whose order the promises of docs/architecture.md §4 hang on. The chaos runner ends processes just
 * there; a name says what has been done and what has not.
 */
export const CRASH_POINTS = {
  /** Gateway: the idempotency record is there, the command is not on its way. */
  'request.recorded': 'gateway',
  /** Gateway: the command is in the inbox, the client has not been told. */
  'command.published': 'gateway',
  /** Control bus: the former owner's durable is gone, the new one is not there. */
  'durable.deleted': 'control-bus',
  /** Control bus: the commit is in the journal, its facts are not told. */
  'commit.appended': 'control-bus',
  /** Control bus: the facts are told, the session and the controls do not know. */
  'facts.published': 'control-bus',
  /** Control bus: the reaction is done, its trigger is not acknowledged. */
  'trigger.handled': 'control-bus',
  /** Plan compiler: its answer is in the inbox, the request is not acknowledged. */
  'plan.answered': 'plan-compiler',
  /** Runner prep: the same. */
  'prepare.answered': 'runner-prep',
  /** Harness host: an attempt is claimed, nothing has been begun. */
  'claim.taken': 'harness-host',
  /** Harness host: the answer is kept, nobody has it. */
  'answer.kept': 'harness-host',
  /** Harness host: the answer is in the inbox, the request is not acknowledged. */
  'stage.answered': 'harness-host',
  /** Projector: a batch is in Postgres, the next one is not begun. */
  'batch.written': 'projector',
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** In the folder of crash points: files that are named like the subjects of messages. */
const POISONS = 'poison';

let folder: string | undefined;

/** From now on this process ends at the points, and of the messages, that have a file in the folder. @param dir the setting `chaos.crashPoints` */
export function armCrashPoints(dir: string): void {
  folder = dir;
}

/** Ends the process with SIGKILL if the folder holds a file of the point's name; the file is gone then, so it happens once. */
export function crashPoint(point: CrashPoint): void {
  if (folder === undefined) return;
  try {
    unlinkSync(join(folder, point));
  } catch {
    return; // nobody asked for it, or another process was first
  }
  process.kill(process.pid, 'SIGKILL');
}

/**
 * Ends the process with SIGKILL if the folder holds a file `poison/<subject of the message>`. Unlike that of a crash point it stays: so does
 * everyone else who is handed the message, until somebody takes the file away.
 */
export function poisonPoint(message: { readonly subject: string }): void {
  if (folder === undefined || !existsSync(join(folder, POISONS, message.subject))) return;
  process.kill(process.pid, 'SIGKILL');
}
