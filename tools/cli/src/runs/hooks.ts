import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { defined, type ErrorInfo, isObject, type JsonObject, type JsonValue } from '@reins/contracts';
import { isHook } from '@reins/journal';
import { HOOK_TIMEOUT_MS, type LocalRun, type PostedResult } from '@reins/replay';
import { RunBlobs } from '@reins/run-directory';
import type { RunHandle } from './locate.ts';

/** The programs that run the scripts of hooks, by file extension. */
const INTERPRETERS: Readonly<Record<string, string>> = {
  '.sh': 'bash',
  '.bash': 'bash',
  '.js': process.execPath,
  '.mjs': process.execPath,
  '.ts': process.execPath,
  '.py': 'python3',
};

/** A hook type is the name of a folder. */
const TYPE = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;
const STDERR_CHARACTERS = 1_000;

/** Runs the hooks that the process waits for, and records their results, until it waits for none. */
export async function runHooks(local: LocalRun, handle: RunHandle): Promise<void> {
  const blobs = new RunBlobs(handle.store.pathsOf(handle.run));
  for (;;) {
    const hook = local.processState === 'waiting' ? local.pending.find(isHook) : undefined;
    if (!hook) return;
    await local.post(hook.effectId, await resultOf(blobs.requestOf(hook), handle));
  }
}

/** Runs the scripts of a hook in the order of their names. The first one that fails is the last one. */
async function resultOf({ args, label = null }: JsonObject, { directory }: RunHandle): Promise<PostedResult> {
  const { type = label, payload = null, timeout = null } = isObject(args) ? args : {};
  const limit = timeout ?? HOOK_TIMEOUT_MS;
  if (!isTimeout(limit))
    return failed(
      'hook_failed',
      `the timeout of the hook must be a positive number of milliseconds (got ${JSON.stringify(limit)})`,
    );
  // `.a5c/hooks` is next to `.a5c/runs`.
  const folder = join(dirname(dirname(directory)), 'hooks', String(type));
  const scripts = scriptsIn(folder, String(type));
  if (scripts.length === 0) return refused({ type, folder });
  const exposed = [dirname(folder), folder, ...scripts.map((name) => join(folder, name))].find(isExposed);
  if (exposed !== undefined) return insecure(exposed);
  const executedHooks: JsonObject[] = [];
  for (const name of scripts) {
    const problem = await problemOfScript(join(folder, name), JSON.stringify(payload), limit);
    if (problem !== undefined) return failed('hook_failed', `the script ${name} of the hook "${type}" ${problem}`);
    executedHooks.push({ name, status: 'success' });
  }
  return { status: 'ok', value: { hookType: type, success: true, executedHooks } };
}

function scriptsIn(folder: string, type: string): string[] {
  if (!TYPE.test(type) || !existsSync(folder)) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => !entry.isDirectory());
  return files.flatMap(({ name }) => (INTERPRETERS[extname(name)] ? [name] : [])).sort();
}

const refused = ({ type, folder }: { readonly type: JsonValue; readonly folder: string }): PostedResult => ({
  status: 'error',
  error: {
    code: 'hook_runner_missing',
    message: `no script exists for the hook ${JSON.stringify(type)}`,
    hint: `Add a script to ${folder}.`,
  },
});

const failed = (code: ErrorInfo['code'], message: string, hint?: string): PostedResult => ({
  status: 'error',
  error: { code, message, ...defined({ hint }) },
});

/** The longest time of a timer of Node.js. */
const LONGEST_MS = 2 ** 31 - 1;

const isTimeout = (value: JsonValue): value is number => typeof value === 'number' && value >= 1 && value <= LONGEST_MS;

/**
 * Whether another user can change a script or the folder that it is in. Of a link, the owner chose the target.
 */
function isExposed(path: string): boolean {
  const found = [lstatSync(path), statSync(path, { throwIfNoEntry: false })].filter((stats) => stats !== undefined);
  return found.some((stats) => isOfOthers(stats) || (!stats.isSymbolicLink() && isWritableForOthers(stats)));
}

const isOfOthers = ({ uid }: Stats): boolean => uid !== 0 && uid !== process.getuid?.();

/** Many distributions give each user a group of the same id, and make files writable for it. */
const isWritableForOthers = ({ mode, uid, gid }: Stats): boolean => (mode & (gid === uid ? 0o002 : 0o022)) !== 0;

const insecure = (path: string): PostedResult =>
  failed(
    'hook_failed',
    `${path} belongs to another user, or other users can change it`,
    'Make yourself the owner, and remove the write permission of others: chmod go-w.',
  );

/** Runs a script with the payload as its input. Resolves with what went wrong, if anything. */
async function problemOfScript(script: string, payload: string, timeout: number): Promise<string | undefined> {
  const command = INTERPRETERS[extname(script)] ?? script;
  const child = spawn(command, [script], { stdio: ['pipe', 'ignore', 'pipe'], timeout, killSignal: 'SIGKILL' });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_CHARACTERS);
  });
  // A script need not read its input.
  child.stdin.on('error', () => undefined).end(payload);
  try {
    const [code, signal] = await once(child, 'close');
    if (code === 0) return undefined;
    if (signal !== null) return `was killed by ${signal} (timeout ${timeout} ms)`;
    const said = stderr.trim();
    return `exited with ${code}${said && `: ${said}`}`;
  } catch (error) {
    return `did not start: ${(error as Error).message}`;
  }
}
