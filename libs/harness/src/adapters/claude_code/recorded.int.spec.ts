import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { tempDir } from '@reins/testing';
import { type ConformanceSubject, drive } from '../../conformance/index.ts';
import { claudeCodeAdapter } from './adapter.ts';

const testdata = (name: string): string => fileURLToPath(new URL(`../../../testdata/${name}.jsonl`, import.meta.url));

/** Answers the first request, takes the message of the user, and then does something else. */
const answering = (then: string): string => `
[ "$1" = --version ] && echo "2.1.329 (Claude Code)" && exit 0
read -r request
id=$(echo "$request" | sed 's/.*"request_id":"\\([^"]*\\)".*/\\1/')
echo '{"type":"control_response","response":{"subtype":"success","request_id":"'$id'","response":{}}}'
read -r message
${then}
`;

/** A stand-in for Claude Code. It writes its arguments and its input next to itself. */
async function executable(script: string): Promise<string> {
  const path = join(await tempDir('claude'), 'claude');
  await writeFile(path, `#!/bin/bash\necho "$@" >> "$0.args"\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const subject = (command: string): ConformanceSubject => ({
  adapter: claudeCodeAdapter,
  settings: { command },
  endpoint: () => ({ api: 'anthropic-messages', baseUrl: 'http://127.0.0.1:9', apiKey: 'sk-canary-77' }),
  instruction: (_scenario, text) => text,
  folder: () => tempDir('claude-run'),
});

test('a recorded run is a success with its signals, and no key is in an argument', async () => {
  const command = await executable(answering(`cat ${testdata('claude-write')}; cat > /dev/null`));
  const driven = await drive(subject(command), 'text', 'Write a file.', { tools: ['write'], thinkingValue: 'high' });
  const { result, leftover } = await driven.result();
  expect(result).toMatchObject({ status: 'ok', output: expect.stringContaining('Done: wrote') });
  expect(leftover).toBe(0);
  expect(driven.events.map(({ phase }) => phase)).toEqual(['agent.handoff', 'agent.tool.start', 'agent.tool.result']);
  const args = await readFile(`${command}.args`, 'utf8');
  expect(args).toMatch(/--tools Write --effort high --session-id [0-9a-f-]{36}\n$/);
  expect(args).not.toContain('sk-canary-77');
});

test.each([
  ['claude-e401', 'model_unauthorized', false],
  ['claude-e500', 'model_unavailable', true],
])('the recorded failure %s is %s, although it exits with 0', async (name, code, retryable) => {
  const command = await executable(answering(`cat ${testdata(name)}; cat > /dev/null; exit 0`));
  const { result } = await (await drive(subject(command), 'text', 'Hello.')).result();
  expect(result).toMatchObject({ status: 'failed', error: { code }, retryable });
});

test('an exit without a result is unknown', async () => {
  const command = await executable(answering('exit 0'));
  const { result } = await (await drive(subject(command), 'text', 'Hello.')).result();
  expect(result).toMatchObject({ status: 'unknown', error: { code: 'harness_exited' } });
});

describe('the probe', () => {
  test.each([
    ['does not exist', '/nowhere/claude', '/nowhere/claude'],
    ['is another program', 'echo "git version 2.39"', 'git version'],
    [
      'renamed an argument',
      '[ "$1" = --version ] && echo "3.0.0 (Claude Code)" && exit 0; echo "error: unknown option --tools" >&2; exit 1',
      '(3.0.0) is not a Claude Code that Reins can use: it prints "error: unknown option --tools"',
    ],
    [
      'does not have a request',
      answering(
        'echo \'{"type":"control_response","response":{"subtype":"error","request_id":"reins-2","error":"Unsupported: mcp_set_servers"}}\'; cat > /dev/null',
      ),
      'Unsupported: mcp_set_servers',
    ],
  ])('says that an executable that %s cannot be used', async (_, script, reason) => {
    const command = script.startsWith('/') ? script : await executable(script);
    const environment = { settings: { command }, path: process.env.PATH ?? '', providers: {} };
    const health = await claudeCodeAdapter.probe(environment, 20_000);
    expect(health).toMatchObject({ healthy: false, hint: expect.stringContaining('harness.claude_code.command') });
    expect((health as { reason: string }).reason).toContain(reason);
  });
});
