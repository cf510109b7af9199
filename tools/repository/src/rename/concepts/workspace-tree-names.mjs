/** Names of the workspace tree that say what a value is: a scanned path, a location in a pack, a file that is in place. */
export default {
  in: ['libs/workspace-tree/**'],
  identifiers: {
    Standing: 'ScannedPath',
    Refused: 'RefusedPath',
    leavesOut: 'isIgnored',
    leavesOutFile: 'isFileIgnored',
    saw: 'markStored',
    problemsBetween: 'pathCollisions',
    shown: 'printablePath',
    Placed: 'PlacedFile',
  },
  files: {
    'libs/workspace-tree/src/materialise/placed.ts': 'libs/workspace-tree/src/materialise/placed-file.ts',
  },
};
