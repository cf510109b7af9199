import { expect, test } from '@jest/globals';
import { eventLine } from './event-line.ts';

test('shows a rejected plan with every diagnostic and its position', () => {
  const diagnostic = {
    severity: 'error',
    code: 'workspace_general_missing',
    message: 'no model',
    file: 'workspace.yaml',
    line: 1,
    column: 2,
  };
  const line = eventLine({
    type: 'runtime.plan.rejected',
    diagnostics: [diagnostic, { ...diagnostic, line: 7, message: 'no registry', hint: 'add it' }],
  });
  expect(line).toContain('workspace.yaml:1:2 error workspace_general_missing: no model');
  expect(line).toContain('workspace.yaml:7:2 error workspace_general_missing: no registry; add it');
});

test('shows every problem of a failed preparation with its path and hint', () => {
  const missing = {
    code: 'mcp_environment_missing',
    message: 'no KEY',
    path: 'mcp_registry.servers.a',
    hint: 'set it',
  };
  const expected = 'mcp_environment_missing: no KEY (mcp_registry.servers.a); set it';
  expect(eventLine({ type: 'runtime.prepare.failed', error: missing })).toContain(expected);
  const problems = [missing, { code: 'attachment_invalid', message: 'leads out' }];
  const line = eventLine({ type: 'runtime.prepare.failed', error: missing, problems });
  expect(
    line
      ?.split('\n')
      .slice(1)
      .map((part) => part.trim()),
  ).toEqual([expected, 'attachment_invalid: leads out']);
});

test('shows warnings with their plan or preparation', () => {
  const warning = { severity: 'warning', code: 'workspace_key_unknown', message: 'no effect', path: 'agentz' };
  const diagnostics = [{ ...warning, file: 'workspace.yaml', line: 3, column: 1 }];
  const compiled = eventLine({ type: 'runtime.plan.compiled', configChecksum: 'abc', diagnostics });
  expect(compiled).toContain('workspace.yaml:3:1 warning workspace_key_unknown: no effect');
  const prepared = eventLine({ type: 'runtime.prepare.completed', fingerprint: 'abc', warnings: [warning] });
  expect(prepared).toContain('warning workspace_key_unknown: no effect (agentz)');
  expect(eventLine({ type: 'runtime.prepare.completed', fingerprint: 'abc', warnings: [] })).toBe('prepared (abc)');
});

test('shows the chosen runtime of a stage directive and its source', () => {
  const extra = { stage: 'execute', runtime_id: 'pi', runtime_source: 'stage' };
  expect(eventLine({ type: 'control.directive.emitted', directive: 'continue', extra })).toBe(
    'control  continue execute → pi (stage)',
  );
});

test('shows why a server or tool is unavailable', () => {
  const missing = { type: 'runtime.mcp.server.unavailable', serverId: 'clock', reason: 'ended (code 1)' };
  expect(eventLine({ ...missing, missingToolIds: [], required: false })).toBe(
    'mcp      clock unavailable: ended (code 1)',
  );
  expect(eventLine({ ...missing, missingToolIds: ['clock.now'], required: false })).toBe(
    'mcp      clock unavailable (clock.now): ended (code 1)',
  );
  const denied = { type: 'runtime.tool.denied', toolId: 'write', policyId: 'p', reason: 'outside of the workspace' };
  expect(eventLine(denied)).toBe('tool     write denied: outside of the workspace');
  const task = { type: 'runtime.task.requested', requestId: 'r1', effectId: 'e1', taskId: 'review', label: 'notes' };
  const titled = { ...task, definition: { kind: 'node', title: 'Review the release notes' } };
  expect(eventLine(titled, { isPast: true })).toBe('task     notes needs a result: Review the release notes');
  expect(eventLine({ ...denied, policyId: 'gated_tools', reason: 'gated' })).toMatch(
    /^tool {5}write denied: gated\n +List the tool in granted_tools of a skill .*$/,
  );
});

test('shows why a run waits', () => {
  const reason = "TypeError: Cannot read properties of undefined (reading 'x')";
  const waits = { type: 'control.directive.emitted', directive: 'wait', reason, extra: {} };
  expect(eventLine(waits)).toBe(`control  wait: ${reason}`);
});

test('shows what a tool of the workspace printed, line by line', () => {
  const event = { phase: 'agent.tool.output', toolId: 'workspace.x', text: 'a\nb\n' };
  const [first, second, ...more] = eventLine({ type: 'runtime.adapter.event', event })?.split('\n') ?? [];
  expect([first, second?.trim(), more]).toEqual(['tool     workspace.x printed: a', 'b', []]);
});

test('shows no line for events that are not worth one', () => {
  expect(eventLine({ type: 'runtime.usage.recorded' })).toBeUndefined();
  expect(eventLine({ type: 'runtime.adapter.event', event: { phase: 'agent.compaction.start' } })).toBeUndefined();
});

test.each([
  [
    { reason: 'signal', signal: 'go', message: 'signal go' },
    ['waiting  for signal go', "reins requests signal r1 go # or with a payload: '<JSON>'"],
  ],
  [
    { reason: 'child', message: 'child run run_1: count the docs', label: 'count the docs' },
    ['waiting  for child run run_1: count the docs'],
  ],
  [
    { reason: 'user', message: 'blue?', questionNumber: 2 },
    ['waiting  for user: blue?', "reins requests answer r1 e1 '<answer>' --question 2"],
  ],
  [
    { reason: 'breakpoint', message: 'Ship it?', expiresAt: '2026-12-01T00:00:00.000Z' },
    [
      'waiting  for breakpoint until 2026-12-01T00:00:00.000Z: Ship it?',
      'reins approvals approve r1 e1',
      "reins approvals deny r1 e1 --comment '<why>'",
    ],
  ],
  [
    {
      reason: 'operator',
      message: 'main.js:1:2: it broke',
      error: { code: 'process_failed', message: 'it broke', stack: 'f (main.js:1:2)\ng (main.js:3:4)' },
    },
    [
      'waiting  for operator: main.js:1:2: it broke',
      'at f (main.js:1:2)',
      'at g (main.js:3:4)',
      'reins requests resume r1',
    ],
  ],
])('a wait %j says for what, and how to continue', (fields, lines) => {
  const line = eventLine({ type: 'runtime.request.waiting', requestId: 'r1', effectId: 'e1', ...fields });
  expect(line?.split('\n').map((one) => one.trim())).toEqual(lines);
});

test('a bug of a process shows what may correct it, and the command that gives it corrected code', () => {
  const error = { code: 'process_failed', message: 'it broke', stack: 'f (main.js:1:2)', hint: 'Did you mean x?' };
  const wait = { requestId: 'r1', effectId: 'e1', reason: 'operator', process: 'process/main.ts#process', error };
  const line = eventLine({ type: 'runtime.request.waiting', ...wait }, { dir: 'notes' });
  expect(line?.split('\n').map((one) => one.trim())).toEqual([
    'waiting  for operator',
    'at f (main.js:1:2)',
    'Did you mean x?',
    'reins requests assign r1 notes --process process/main.ts#process # with the corrected code',
    'reins requests resume r1 # with the same code',
  ]);
});

test('a task asks for its result; a hook does not, because it is refused at once', () => {
  const task = { type: 'runtime.task.requested', requestId: 'r1', effectId: 'e1', kind: 'check', taskId: 'tests' };
  expect(eventLine(task)).toMatch(/^task {5}tests needs a result\n +reins requests answer r1 e1 '<JSON>'$/);
  expect(eventLine(task, { isPast: true })).toBe('task     tests needs a result');
  expect(eventLine({ ...task, kind: 'hook' })).toBeUndefined();
});
