import { describe, test } from '@jest/globals';
import { babysitterProcess } from '../babysitter/process.ts';
import { processRunnerContract, type RunnerOf } from '../contract/process-runner-contract.ts';
import { PROCESSES } from '../contract/processes.ts';
import { inProcess } from './process-runner.ts';

const runner: RunnerOf = async (name) => inProcess(babysitterProcess(name, 'v1', PROCESSES[name]));

describe('a process that runs in this process', () => {
  test.each(processRunnerContract)('$name', ({ check }) => check(runner));
});
