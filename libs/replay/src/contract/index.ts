export { ComparedRun } from './compare-runners.ts';
export {
  CONTRACT_MODULE,
  type ProcessRunnerCase,
  processRunnerContract,
  type RunnerOf,
} from './process-runner-contract.ts';
export { generated, type Operation } from './processes.ts';
