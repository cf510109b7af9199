import { expect, test } from '@jest/globals';
import { checkSandboxes } from './check-sandbox.ts';

const lacks = [{ what: 'namespaces', reason: 'refused', hint: 'Allow user namespaces.' }];
const replica = (host: string, sandbox: object) => ({ host, sandbox: { rule: 'preferred', lacks: [], ...sandbox } });

test('states the sandbox of each host once', () => {
  const checks = checkSandboxes([
    replica('b', { backend: 'none', lacks, rule: 'required' }),
    replica('a', { backend: 'bubblewrap' }),
    replica('a', { backend: 'bubblewrap' }),
    replica('c', { backend: 'landlock', lacks }),
  ]);
  expect(checks.map(({ status, message }) => [status, message])).toEqual([
    ['ok', 'bubblewrap confines processes on host a'],
    ['failed', 'no sandbox on host b; missing: namespaces (refused)'],
    ['warning', 'landlock on host c; missing: namespaces (refused)'],
  ]);
});

test('warns when no host reports one', () => {
  expect(checkSandboxes([{}])).toEqual([expect.objectContaining({ name: 'sandbox', status: 'warning' })]);
});
