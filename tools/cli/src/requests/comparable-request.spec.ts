import { expect, test } from '@jest/globals';
import { requestFromApi } from './comparable-request.ts';

const stage = (requestId: string, tree: string, endedAt: string) => ({
  requestId,
  effectId: `of-${requestId}`,
  stage: 'execute',
  attempt: 1,
  status: 'completed',
  tree,
  endedAt,
});

test('child runs are no part of what the journal of a request determines', () => {
  const own = stage('r', 'a', '2026-01-01T00:00:00.000Z');
  const child = stage('c', 'b', '2026-01-01T00:00:01.000Z');
  const alone = { requestId: 'r', status: 'completed', tree: 'a', stages: [own] };
  const rolledUp = { ...alone, tree: 'b', stages: [own, child], children: [{ requestId: 'c' }] };
  expect(requestFromApi(rolledUp)).toEqual(requestFromApi(alone));
  const { tree: _, ...withoutStages } = { ...alone, stages: [] };
  expect(requestFromApi({ ...rolledUp, stages: [child] })).toEqual(requestFromApi(withoutStages));
});
