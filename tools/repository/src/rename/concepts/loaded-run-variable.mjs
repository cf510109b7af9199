/** Variables and fields of the type `LoadedRun`. In other places `reading` has its usual meaning. */
export default {
  identifiers: { reading: 'loaded' },
  in: ['libs/run-directory/src/report/**/*.ts', 'tools/cli/src/**/*.ts'],
};
