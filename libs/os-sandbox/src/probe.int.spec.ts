import { expect, test } from '@jest/globals';
import { type Isolation, probe, requireIsolation } from './index.ts';

test('reports the isolation of this host, with a reason and a hint for each missing protection', async () => {
  const isolation = await probe();
  expect(['bubblewrap', 'landlock', 'none']).toContain(isolation.backend);
  expect(isolation.lacks.length > 0).toBe(isolation.backend !== 'bubblewrap');
  for (const { what, reason, hint } of isolation.lacks)
    for (const said of [what, reason, hint]) expect(said).not.toBe('');
});

const NONE: Isolation = {
  backend: 'none',
  program: '',
  lacks: [{ what: 'operating-system sandbox', reason: 'bubblewrap is not installed', hint: 'Install bubblewrap.' }],
};

test('required isolation that is missing is an error with its reason', () => {
  expect(() => requireIsolation(NONE)).toThrow(
    expect.objectContaining({
      code: 'sandbox_unavailable',
      message: 'this host cannot confine child processes: bubblewrap is not installed',
    }),
  );
  expect(() => requireIsolation({ ...NONE, backend: 'landlock' })).not.toThrow();
});
