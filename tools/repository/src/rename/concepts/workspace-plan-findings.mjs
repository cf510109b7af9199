/** The compiler collects findings; `tell` and `Where` did not say so. A locator maps a path to the place in a source file. */
export default {
  in: ['libs/workspace-plan/**'],
  identifiers: {
    tell: 'addFinding',
    Where: 'FindingLocation',
    wants: 'hasRoomFor',
    Located: 'SourceLocation',
    inDocument: 'documentLocator',
    inManifest: 'manifestLocator',
  },
};
