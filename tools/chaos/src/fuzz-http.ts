#!/usr/bin/env node
/**
 * `npm run fuzz:http -- [--seconds N] [--seed S]`: starts a system and runs schemathesis on its OpenAPI document.
 * No call may end in a server error, and every response has to match the document. Exit code 0 = no findings.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createApiKey } from './system/api-key.ts';
import { startRunningSystem } from './system/start.ts';

const VERSION = '4.32.5';
const INSTALLED = fileURLToPath(new URL(`../../../.reins/schemathesis-${VERSION}`, import.meta.url));
/** Extra time for its report. */
const GRACE_SECONDS = 60;

/**
 * Excluded checks. JSON Schema cannot express every rule for a body (a reference to a stored blob, dependent fields), so
 * a valid body may be rejected. The API does not respond with 405.
 */
const EXCLUDED_CHECKS = ['positive_data_acceptance', 'unsupported_method'];

/**
 * The key comes from the environment, so that process listings do not show it. 503 is the documented response for an
 * unavailable runtime. A crashed service is detected by its restart.
 */
const CONFIG = `[headers]
Authorization = "Bearer \${REINS_FUZZ_KEY}"

[checks.not_a_server_error]
expected-statuses = ["2xx", "3xx", "4xx", 503]
`;

const log = (line: string): void => void process.stderr.write(`${line}\n`);

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '180' }, seed: { type: 'string', default: '1' } },
});
process.exitCode = await fuzz(Number(values.seconds), Number(values.seed));

async function fuzz(seconds: number, seed: number): Promise<number> {
  await install();
  const dir = await mkdtemp(join(tmpdir(), 'reins-fuzz-'));
  const running = await startRunningSystem({ dir, replicas: 1, log: () => {} });
  try {
    const key = await createApiKey(running.system);
    const config = join(dir, 'schemathesis.toml');
    await writeFile(config, CONFIG);
    const { url } = running.gateway;
    log(`fuzzing ${url} for at most ${seconds} s, seed ${seed}`);
    const options = [
      ...['--max-time', String(seconds), '--seed', String(seed), '--exclude-checks', EXCLUDED_CHECKS.join(',')],
      // Event streams stay open. Only what arrives in time is checked.
      ...['--request-timeout', '10', '--suppress-health-check', 'all', '--warnings', 'off', '--no-color'],
    ];
    const args = ['--config-file', config, 'run', `${url}/api/openapi.json`, ...options];
    const code = await command(join(INSTALLED, 'bin', 'schemathesis'), args, {
      withinSeconds: seconds + GRACE_SECONDS,
      env: { ...process.env, REINS_FUZZ_KEY: key },
      cwd: dir,
    });
    const restarts = running.system.status().filter(({ restarts: count }) => count > 0);
    for (const { name } of restarts) log(`${name} was restarted`);
    return code === 0 && restarts.length === 0 ? 0 : 1;
  } finally {
    await running.stop();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Installs schemathesis from PyPI, pinned, into `.reins/`. */
async function install(): Promise<void> {
  if (existsSync(join(INSTALLED, 'bin', 'schemathesis'))) return;
  log(`installing schemathesis ${VERSION} into ${INSTALLED}`);
  const within = { withinSeconds: 300, env: process.env, cwd: tmpdir() };
  for (const [file, args] of [
    ['python3', ['-m', 'venv', INSTALLED]],
    [join(INSTALLED, 'bin', 'pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]],
  ] as const)
    if ((await command(file, args, within)) !== 0)
      throw new Error(`${file} failed: Python 3.10 or newer and PyPI are needed`);
}

async function command(
  file: string,
  args: readonly string[],
  { withinSeconds, env, cwd }: { withinSeconds: number; env: NodeJS.ProcessEnv; cwd: string },
): Promise<number | null> {
  const child = spawn(file, args, { env, cwd, stdio: ['ignore', 'inherit', 'inherit'] });
  const timer = setTimeout(() => child.kill('SIGKILL'), withinSeconds * 1000);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  return code as number | null;
}
