import { expect, test } from '@jest/globals';
import { problemsOfEvent } from './index.ts';
import { STAGES } from './stages.ts';

test('the list has every stage of the contract, in its order', () => {
  const problems = problemsOfEvent({ type: 'runtime.stage.requested', stage: 'sleep' });
  expect(problems.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(`stage must be one of ${STAGES.join(', ')}`),
  );
});
