/** The conformance suite: the requirements for every harness adapter, as cases for any test runner. */
export { conformance } from './cases.ts';
export type { ConformanceCase } from './checks.ts';
export { type DrivenRun, drive, type RunChanges } from './driver.ts';
export { installedCodex, installedHermes, installedLitellm, installedOpencode } from './installed-harnesses.ts';
export type { ConformanceSubject, Scenario } from './subject.ts';
