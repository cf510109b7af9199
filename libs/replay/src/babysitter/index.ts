/** What `@a5c-ai/babysitter-sdk` gives to a process file: processes that were written for it run unchanged. */
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
  type Governance,
  type GovernanceProblem,
  governanceIn,
  governanceProblems,
  type PolicyRule,
} from './governance.ts';
export { type BabysitterProcess, babysitterProcess, defineTask, type Surroundings } from './process.ts';
