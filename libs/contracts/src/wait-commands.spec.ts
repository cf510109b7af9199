import { expect, test } from '@jest/globals';
import { waitCommands } from './wait-commands.ts';

test.each([
  ['breakpoint', undefined, ['reins approvals approve r1 e1', "reins approvals deny r1 e1 --comment '<why>'"]],
  ['user', undefined, ["reins requests answer r1 e1 '<answer>'"]],
  ['task', undefined, ["reins requests answer r1 e1 '<JSON>'"]],
  ['signal', 'go', ["reins requests signal r1 go # or with a payload: '<JSON>'"]],
  ['signal', "it's on", ["reins requests signal r1 'it'\\''s on' # or with a payload: '<JSON>'"]],
  ['signal', undefined, ["reins requests signal r1 <name> # or with a payload: '<JSON>'"]],
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

test('a process with a bug gets corrected code, because a resume runs the same code again', () => {
  const wait = { requestId: 'r1', effectId: 'e1', reason: 'operator', process: 'process/main.ts#process' };
  const resume = 'reins requests resume r1 # with the same code';
  const assign = (dir: string) =>
    `reins requests assign r1 ${dir} --process process/main.ts#process # with the corrected code`;
  expect(waitCommands(wait)).toEqual([assign('<dir>'), resume]);
  expect(waitCommands({ ...wait, dir: 'my folder' })).toEqual([assign("'my folder'"), resume]);
});
