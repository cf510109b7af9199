/** The object that sets up a test is a fixture, as in the other packages. */
export default {
  in: ['libs/replay/src/**'],
  identifiers: { Scene: 'BabysitterFixture' },
  files: { 'libs/replay/src/testing/babysitter-scene.ts': 'libs/replay/src/testing/babysitter-fixture.ts' },
};
