import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';

/** The Node 24 that the npm package `node` brings. */
export const nodeOf = (root) => join(root, 'node_modules', 'node', 'bin', 'node');

/** An environment in which `node` and the tools of node_modules are found first. */
export function environmentOf(root) {
  return { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` };
}

/**
 * Runs a command; what it prints goes to our standard error unless `quiet`. Resolves to its last lines; rejects when it fails
 * or takes longer than `withinMs`.
 */
export async function run(command, args, { cwd, quiet = false, withinMs }) {
  const child = spawn(command, args, { cwd, env: environmentOf(cwd), stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = () => {
    child.kill('SIGTERM');
    process.exit(143);
  };
  process.once('SIGTERM', stop);
  let last = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      last = (last + text).slice(-4000);
      if (!quiet) process.stderr.write(text);
    });
  }
  const timer = withinMs && setTimeout(() => end(child), withinMs);
  const code = await exitOf(child);
  clearTimeout(timer);
  process.off('SIGTERM', stop);
  if (code !== 0)
    throw new Error(`${[command, ...args].join(' ')} ended with ${code}${quiet ? `\n${last.trim()}` : ''}`);
  return last;
}

/** Ends a child, and does not wait for what it started and could not end: that may hold its output open for ever. */
function end(child) {
  child.kill('SIGTERM');
  setTimeout(() => {
    child.kill('SIGKILL');
    child.stdout.destroy();
    child.stderr.destroy();
  }, 5_000).unref();
}

/** The exit code of a child, as a shell tells it. */
export function exitOf(child) {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}

/**
 * Becomes another program, or as good as that: it has our input and output, gets our signals, and its end is ours.
 * Where Node can (from 23.11 on) no process of ours remains in between.
 */
export async function become(command, args, root) {
  const env = environmentOf(root);
  if (process.execve) process.execve(command, [command, ...args], env);
  const child = spawn(command, args, { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A Ctrl-C in the terminal reaches the child by itself; it must only not end us before.
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  }
  process.exitCode = await exitOf(child);
}
