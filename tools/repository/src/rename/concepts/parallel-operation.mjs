/** In generated test processes, operations next to each other run in parallel. */
export default {
  texts: { "'beside'": "'parallel'" },
  in: ['libs/replay/src/contract/processes.ts', 'libs/sandbox/src/runner-contract.int.spec.ts'],
};
