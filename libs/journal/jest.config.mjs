import preset from '../../jest.preset.mjs';

/** What waits for a disk waits for everybody who uses it. */
export default { ...preset, testTimeout: 60_000 };
