import preset from '../../jest.preset.mjs';

export default {
  ...preset,
  // Process files that import the SDK of babysitter get its replacement.
  moduleNameMapper: { '^@a5c-ai/babysitter-sdk$': '<rootDir>/src/babysitter/index.ts' },
  // Disk access can be slow while other tests run.
  testTimeout: 60_000,
};
