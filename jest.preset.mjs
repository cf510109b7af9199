/** What every package's tests share: SWC, native ESM, and workspace packages read from their sources (no build needed). */
export const swc = {
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

export default {
  testEnvironment: 'node',
  /** Of a test that hangs, on a machine that is busy; where a tier has another number, it says so itself. */
  testTimeout: 120_000,
  testEnvironmentOptions: { customExportConditions: ['reins-source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: ['/dist/'],
};
