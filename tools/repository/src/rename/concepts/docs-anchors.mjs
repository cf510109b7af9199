/** Headings of the docs that were renamed, and the links to them. */
export default {
  texts: {
    'benchmarks.md#beside-others': 'benchmarks.md#compared-with-other-systems',
    'api.md#cancel-answer-decide-hold': 'api.md#cancel-pause-answer-and-approve',
    'processes.md#of-a-workspace': 'processes.md#use-a-process-in-a-workspace',
    'processes.md#given-later': 'processes.md#assign-a-process-later',
    'processes.md#each-of-them': 'processes.md#examples',
    'processes.md#bounds': 'processes.md#sandbox-limits',
    "'## What a process has'": "'## The `ctx` API'",
  },
};
