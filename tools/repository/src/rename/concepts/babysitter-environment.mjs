/** What a babysitter process can use besides its context: its files and policy rules. */
export default {
  identifiers: { Surroundings: 'BabysitterEnvironment', RunSurroundings: 'RunEnvironment' },
  in: ['libs/replay/**/*.ts', 'tools/cli/src/runs/*.ts'],
};
