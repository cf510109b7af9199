/** `reins diff` compares two runs: each is one side of the diff. */
export default {
  identifiers: { Side: 'DiffSide', requestSide: 'requestDiffSide' },
  files: { 'tools/cli/src/requests/side.ts': 'tools/cli/src/requests/diff-side.ts' },
  in: ['tools/cli/src/**/*.ts'],
};
