/** A text that says why something is not valid is a reason. */
export default {
  in: [
    'libs/journal/src/archive/pack.ts',
    'libs/journal/src/entries/commit-codec.ts',
    'libs/journal/src/state/apply-entry.ts',
    'libs/journal/src/verify/apply-draft.ts',
    'libs/replay/src/intrinsics/effect.ts',
    'libs/run-directory/src/repair/place-chain.ts',
    'libs/run-directory/src/store/files.ts',
    'libs/run-directory/src/store/journal-files.ts',
    'libs/run-directory/src/values/kept-code.ts',
    'libs/sandbox/src/graph/{kept-process,module-graph,module-parser,parse-worker,placed-file}.ts',
  ],
  identifiers: { wrong: 'reason' },
  texts: { "'wrong' in read": "'reason' in read", "'wrong' in response": "'reason' in response" },
};
