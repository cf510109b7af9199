import { expect, test } from '@jest/globals';
import { actionLines, postingLines } from './next-actions.ts';

test.each([
  ['agent', {}, ["reins task:post r1 e1 --status ok --value-inline '<result as JSON>'"]],
  [
    'breakpoint',
    {},
    [
      `reins task:post r1 e1 --status ok --value-inline '{"approved": true}'`,
      `reins task:post r1 e1 --status ok --value-inline '{"approved": false, "feedback": "<why>"}'`,
    ],
  ],
  ['signal', {}, ["reins task:post r1 e1 --status ok --value-inline '<payload as JSON>'"]],
  [
    'child',
    { process: 'other', inputs: { n: 1 } },
    [
      'create and drive a run of other with the inputs {"n":1}, then post its output:',
      "reins task:post r1 e1 --status ok --value-inline '<output as JSON>'",
    ],
  ],
  ['sleep', {}, ['reins run:iterate r1    # after the sleep']],
])('a waiting %s says what must be posted', (kind, taskDef, lines) => {
  expect(postingLines({ effectId: 'e1', kind, taskDef }, 'r1')).toEqual(lines);
});

const asked = { question: 'Ship it?', failed: ['licences'] };

test.each([
  ['signal', { kind: 'signal', name: 'go' }, ['e1 signal go']],
  ['agent', {}, ['e1 agent Ship']],
  [
    'breakpoint',
    { kind: 'breakpoint', subject: { detail: { payload: asked } } },
    ['e1 breakpoint Ship: Ship it?', '    "failed": [', '      "licences"', '    ]'],
  ],
])('a waiting %s says what it waits for', (kind, taskDef, lines) => {
  expect(actionLines({ effectId: 'e1', kind, label: 'Ship', taskDef }, 'r1')).toEqual(lines);
});
