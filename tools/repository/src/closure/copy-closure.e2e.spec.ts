import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyClosure } from './copy-closure.mjs';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

let copied = '';
beforeEach(() => {
  copied = mkdtempSync(join(tmpdir(), 'reins-copied-'));
});
afterEach(() => rmSync(copied, { recursive: true }));

// The settings are read after all modules are loaded.
test.each(['gateway', 'harness-host', 'projector'])('%s starts from a copy of its production closure', (service) => {
  copyClosure(ROOT, `services/${service}`, copied);
  const { status, stderr } = run(`services/${service}/dist/main.js`, { REINS_LOG_LEVEL: 'loud' });
  expect(stderr).toContain('log.level');
  expect(status).toBe(1);
  if (service !== 'projector') return;
  expect(run('services/projector/dist/migrate.js', { REINS_LOG_LEVEL: 'loud' }).stderr).toContain('log.level');
});

const run = (program: string, env: Record<string, string>) =>
  spawnSync(process.execPath, [program], { cwd: copied, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
