import { expect, test } from '@jest/globals';
import { eventsShownFor, shownLine } from './display.ts';

const shown = (runtime: string) =>
  eventsShownFor({
    workspaceId: 'ws',
    workspaceYaml: `agents: {id: a, model: m}\nmcp_registry: {servers: {}}\n${runtime}`,
    references: {},
  });

test.each([
  ['', ['*']],
  ['runtime: {progress: {narration: {enabled: true}}}', ['runtime.progress.narration']],
  ['runtime: {cli: {events: {include: ["runtime.tool.*"]}}}', ['runtime.tool.*']],
  ['runtime: {progress: {narration: {enabled: true}}, cli: {events: {include: ["*"]}}}', ['*']],
  ['agents: none', ['*']],
])('%s shows %j', (runtime, patterns) => {
  expect(shown(runtime)).toEqual(patterns);
});

test('shows an event when a pattern matches its type or phase', () => {
  const narration = { type: 'runtime.progress.narration', message: 'pi does the work.' };
  const start = { type: 'runtime.adapter.event', event: { phase: 'agent.tool.start', toolId: 'bash' } };
  expect(shownLine(narration, ['runtime.progress.narration'])).toBe('pi does the work.');
  expect(shownLine(narration, ['runtime.tool.*'])).toBeUndefined();
  expect(shownLine(start, ['agent.tool.*'])).toContain('bash');
  expect(shownLine(start, ['runtime.progress.narration'])).toBeUndefined();
  expect(shownLine(start, ['*'])).toContain('bash');
});
