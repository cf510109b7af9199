import { expect, test } from '@jest/globals';
import { nodeVersionProblem } from './node-version.ts';

test('an older Node is one problem that names the needed and the found version', () => {
  for (const version of ['v18.20.8', 'v20.20.2', 'v22.19.0', 'unknown']) {
    expect(nodeVersionProblem(version)).toMatchObject({
      code: 'node_unsupported',
      message: `Reins needs Node 24 or newer (got ${version})`,
    });
  }
  for (const version of ['v24.0.0', 'v24.21.0', 'v100.1.0']) expect(nodeVersionProblem(version)).toBeUndefined();
});
