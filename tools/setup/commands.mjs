import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The path of Node 24, which the npm package `node` installs. */
export const nodeOf = (root) => join(root, 'node_modules', 'node', 'bin', 'node');

/** An environment with node_modules/.bin first in PATH, so that its `node` and tools are used. */
export function environmentOf(root) {
  return { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` };
}

/**
 * Runs a command and forwards its output to standard error, unless `quiet`. Resolves to its last lines. Rejects when it fails or takes
 * longer than `timeoutMs`. `onLine` is called with each line of the standard output as it is printed; these lines are then not part of an
 * error.
 */
export async function run(command, args, { cwd, quiet = false, timeoutMs, onLine }) {
  const child = spawn(command, args, { cwd, env: environmentOf(cwd), stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => {
    child.kill('SIGTERM');
    process.exit(143);
  };
  process.once('SIGTERM', stop);
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      if (!onLine || stream === child.stderr) last = (last + text).slice(-4000);
      if (!quiet) process.stderr.write(text);
    });
  }
  if (onLine) createInterface({ input: child.stdout }).on('line', onLine);
  const timer = timeoutMs && setTimeout(() => terminate(child), timeoutMs);
  const code = await exitOf(child);
  clearTimeout(timer);
  process.off('SIGTERM', stop);
  if (code !== 0)
    throw new Error(`${[command, ...args].join(' ')} exited with code ${code}${quiet ? `\n${last.trim()}` : ''}`);
  return last;
}

/** Terminates a child. Does not wait for its descendants, which may keep its output open. */
function terminate(child) {
  child.kill('SIGTERM');
  setTimeout(() => {
    child.kill('SIGKILL');
    closeOutput(child);
  }, 5_000).unref();
}

function closeOutput({ stdout, stderr }) {
  stdout?.destroy();
  stderr?.destroy();
}

/** How long a child's output is read after the child has exited: a descendant that lives on may keep it open for ever. */
const OUTPUT_MS = 5_000;

/** The exit code of a child, by shell convention: 128 plus the signal number after a signal. */
export function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
    child.once('exit', () => setTimeout(() => closeOutput(child), OUTPUT_MS).unref());
  });
}

/**
 * Replaces this process with another program, with `execve` from Node 23.11 on. On older versions runs a child that shares the standard
 * streams, receives the signals, and determines the exit code.
 */
export async function execProgram(command, args, root) {
  const env = environmentOf(root);
  if (process.execve) process.execve(command, [command, ...args], env);
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // The terminal sends Ctrl-C to the child too. This process must not exit before the child.
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  }
  process.exitCode = await exitOf(child);
}
