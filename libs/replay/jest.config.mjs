import preset from '../../jest.preset.mjs';

/** Process files that were written for babysitter get what we offer in its place. */
export default { ...preset, moduleNameMapper: { '^@a5c-ai/babysitter-sdk$': '<rootDir>/src/babysitter/index.ts' } };
