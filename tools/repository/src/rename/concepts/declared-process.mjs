/** The `process` key of workspace.yaml, read without compiling the workspace. */
export default {
  identifiers: { processNamedIn: 'declaredProcess' },
};
