import { expect, test } from '@jest/globals';
import { waitCommands } from './wait-commands.ts';

test.each([
  ['breakpoint', undefined, ['reins approvals approve r1 e1', "reins approvals deny r1 e1 --comment '<why>'"]],
  ['user', undefined, ["reins requests answer r1 e1 '<answer>'"]],
  ['signal', 'go', ['reins requests signal r1 go']],
  ['signal', "it's on", ["reins requests signal r1 'it'\\''s on'"]],
  ['signal', undefined, ['reins requests signal r1 <name>']],
  ['operator', undefined, ['reins requests resume r1']],
  ['process', undefined, ["reins run:assign-process r1 --entry '<path>#<export>'"]],
  ['timer', undefined, []],
  ['child', undefined, []],
])('a wait for %s (%s) ends with its own command', (reason, signal, commands) => {
  expect(waitCommands({ requestId: 'r1', effectId: 'e1', reason, signal })).toEqual(commands);
});

test('the answer to a numbered question names it', () => {
  const wait = { requestId: 'r1', effectId: 'e1', reason: 'user', questionNumber: 2 };
  expect(waitCommands(wait)).toEqual(["reins requests answer r1 e1 '<answer>' --question 2"]);
});
