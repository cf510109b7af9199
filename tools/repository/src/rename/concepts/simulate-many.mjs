/** The file is named after its function. */
export default {
  in: ['tools/simulation/**'],
  identifiers: { ManyOptions: 'SimulateManyOptions', Share: 'SeedShare' },
  files: { 'tools/simulation/src/many.ts': 'tools/simulation/src/simulate-many.ts' },
};
