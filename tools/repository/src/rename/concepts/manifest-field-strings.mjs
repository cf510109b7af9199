/** A manifest field that is a list of strings. */
export default {
  identifiers: { texts: 'strings' },
  in: ['libs/workspace-plan/src/compile/integrations.ts', 'libs/workspace-plan/src/compile/manifest-fields.ts'],
};
