/** Names of the CLI that said what somebody does or asks, and not what the thing is. */
export default {
  identifiers: {
    ReadWorkspace: 'LoadedWorkspace',
    compileRead: 'compileLoaded',
    CompileAnswer: 'CompileResponse',
    Misuse: 'UsageErrors',
    everyCommand: 'allCommands',
    WhichStage: 'StageSelector',
    iterationOf: 'parseIteration',
    RunningUp: 'RunningInstallation',
    modelSourceOf: 'chooseModelSource',
  },
  in: ['tools/cli/src/**/*.ts'],
};
