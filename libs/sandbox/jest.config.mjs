import preset from '../../jest.preset.mjs';

// A child that reads the sources takes its time to start on a busy machine.
export default { ...preset, testTimeout: 60_000 };
