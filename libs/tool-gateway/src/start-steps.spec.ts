import { expect, test } from '@jest/globals';
import { StartSteps } from './start-steps.ts';

test('the line names what each service waits for, and changes only when that changes', () => {
  const lines: string[] = [];
  const steps = new StartSteps((label) => lines.push(label));
  steps.begin('notes', 'starting MCP servers');
  steps.begin('memory', 'installing', 'npm:memory@1.2.3');
  steps.begin('crm', 'starting applications');
  steps.end('notes');
  steps.end('nothing');
  steps.begin('memory', 'starting MCP servers');
  steps.end('crm');
  steps.begin('memory', 'waiting for the tools of');
  steps.end('memory');
  expect(lines).toEqual([
    'starting MCP servers notes',
    'installing npm:memory@1.2.3; starting MCP servers notes',
    'installing npm:memory@1.2.3; starting MCP servers notes; starting applications crm',
    'installing npm:memory@1.2.3; starting applications crm',
    'starting MCP servers memory; starting applications crm',
    'starting MCP servers memory',
    'waiting for the tools of memory',
  ]);
});

test('a long line names the first services and the number of the others', () => {
  const lines: string[] = [];
  const steps = new StartSteps((label) => lines.push(label));
  for (let index = 1; index <= 10; index += 1) steps.begin(`s${index}`, 'starting MCP servers');
  expect(lines.at(-1)).toBe('starting MCP servers s1, s2, s3, s4, s5, s6, s7, s8 and 2 more');
});
