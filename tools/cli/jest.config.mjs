import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  // Process files that were written for babysitter get what we offer in its place, as with the hooks of a process of its own.
  moduleNameMapper: { '^@a5c-ai/babysitter-sdk$': '<rootDir>/../../libs/replay/src/babysitter/index.ts' },
  // What waits for a disk waits for everybody who uses it.
  testTimeout: 60_000,
};
