import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  // Processes written for babysitter import our replacement, as they do in the sandbox.
  moduleNameMapper: { '^@a5c-ai/babysitter-sdk$': '<rootDir>/../../libs/replay/src/babysitter/index.ts' },
  // Tests wait for the disk, which other processes use too.
  testTimeout: 60_000,
};
