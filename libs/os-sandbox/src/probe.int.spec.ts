import { expect, test } from '@jest/globals';
import { probe, requireWall, type Wall } from './index.ts';

test('says which wall this host has, and for all that it lacks why and what to do', async () => {
  const wall = await probe();
  expect(['bubblewrap', 'landlock', 'none']).toContain(wall.backend);
  expect(wall.lacks.length > 0).toBe(wall.backend !== 'bubblewrap');
  for (const { what, reason, hint } of wall.lacks) for (const said of [what, reason, hint]) expect(said).not.toBe('');
});

const NONE: Wall = {
  backend: 'none',
  program: '',
  lacks: [{ what: 'operating-system sandbox', reason: 'bubblewrap is not installed', hint: 'Install bubblewrap.' }],
};

test('a wall that is required and missing is an error with its reason', () => {
  expect(() => requireWall(NONE)).toThrow(
    expect.objectContaining({
      code: 'sandbox_unavailable',
      message: 'this host cannot confine child processes: bubblewrap is not installed',
    }),
  );
  expect(() => requireWall({ ...NONE, backend: 'landlock' })).not.toThrow();
});
