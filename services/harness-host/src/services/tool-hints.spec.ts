import { expect, test } from '@jest/globals';
import { toolHints } from './tool-hints.ts';

const tool = (toolId: string, annotations?: Record<string, unknown>) => ({
  toolId,
  declaration: { name: toolId, inputSchema: { type: 'object' as const }, ...(annotations && { annotations }) },
});

test('lists the hints of tools without texts, and no tools without hints', () => {
  expect(
    toolHints([
      tool('crm.find', { readOnlyHint: true, title: 'Find' }),
      tool('crm.wipe', { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }),
      tool('crm.odd', { readOnlyHint: 'yes', title: 'Odd' }),
      tool('crm.none'),
    ]),
  ).toEqual({
    'crm.find': { readOnlyHint: true },
    'crm.wipe': { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  });
});
