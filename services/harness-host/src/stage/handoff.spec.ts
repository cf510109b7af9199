import { expect, test } from '@jest/globals';
import type { RunStartedPayload } from '@reins/runtime-config';
import { Redactor } from '../secrets/redactor.ts';
import { handoffOf } from './handoff.ts';

const NO_RESULTS = { results: [], omitted: 0 };
const payload = { instruction_preview: 'Paint the house with sk-canary-1234' } as RunStartedPayload;
const parts = {
  request: { run_started_payload: payload },
  workspace: { changedFiles: [] },
  services: { openSteps: [], decisions: [], openQuestions: [] },
  redactor: new Redactor(['sk-canary-1234']),
};

test('a stage passes on its goal, decisions, changed files, open questions and steps, without secrets', () => {
  const services = { openSteps: ['Dry'], decisions: ['Blue, see sk-canary-1234'], openQuestions: ['Which size?'] };
  const changedFiles = Array.from({ length: 52 }, (_, at) => ({ path: `${at}.md`, change: 'added' as const }));
  expect(handoffOf(NO_RESULTS, { ...parts, services, workspace: { changedFiles } })).toEqual({
    handoff: {
      goal: 'Paint the house with [redacted]',
      decisions: ['Blue, see [redacted]'],
      filesChanged: changedFiles.slice(0, 50),
      omittedFiles: 2,
      openQuestions: ['Which size?'],
      openSteps: ['Dry'],
    },
  });
});

test('a stage that leaves only its output passes on nothing', () => {
  expect(handoffOf(NO_RESULTS, parts)).toEqual({});
});

test('entries are limited in number and length', () => {
  const many = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(300)}`);
  const { handoff } = handoffOf(NO_RESULTS, {
    ...parts,
    services: { openSteps: many, decisions: many, openQuestions: [] },
  });
  // The first steps come next, and the newest decisions count.
  expect([handoff?.openSteps?.[0]?.slice(0, 2), handoff?.decisions?.[0]?.slice(0, 2)]).toEqual(['0 ', '10']);
  expect([handoff?.openSteps, handoff?.decisions].map((each) => each?.length)).toEqual([20, 20]);
  expect(handoff?.decisions?.every((each) => each.length <= 200)).toBe(true);
});
