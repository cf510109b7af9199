import preset from '../../jest.preset.mjs';

/** Disk access can be slow while other tests run. */
export default { ...preset, testTimeout: 60_000 };
