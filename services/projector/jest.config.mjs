import preset from '../../jest.preset.mjs';

// The tests that run against real servers share a small machine with others.
export default { ...preset, testTimeout: 60_000 };
