/** The parts of `@a5c-ai/babysitter-sdk` that process files import. Processes written for it run unchanged. */
export { getActiveProcessContext, requireProcessContext, withProcessContext } from '../context/process-storage.ts';
export {
  EffectCancelledError,
  EffectPendingError,
  EffectRequestedError,
  isIntrinsic,
  ParallelPendingError,
  RunFailedError,
} from './errors.ts';
export {
  admission,
  type Governance,
  type GovernanceProblem,
  governanceIn,
  governanceProblems,
  type PolicyRule,
} from './governance.ts';
export { type BabysitterEnvironment, type BabysitterProcess, babysitterProcess, defineTask } from './process.ts';
export { writeTaskFile } from './task-files.ts';
