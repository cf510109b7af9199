import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');
const STAGES = ['interview', 'execute', 'evaluate', 'reflect'];
/** The files that a new stage changes: CONTRIBUTING.md lists them. */
const OF_EVERY_STAGE = [
  'libs/contracts/src/stages.ts',
  'libs/journal/src/facts/directives.ts',
  'libs/runtime-config/src/prompt/texts/stages.ts',
  'proto/reins/v1/common.proto',
  'services/control-bus/src/processes/pipeline-run.ts',
];
const OTHERS = [
  'libs/scripted-model/src/scripts/quickstart.ts', // the answers of an example, which has these stages
  'libs/store/src/migrations/0001-read-model.ts', // a check that a later migration removes
  'services/narrator/src/providers/template.ts', // texts that are optional
];
const NOT_PRODUCTION = /\.spec\.ts$|\/(testing|generated|bench|conformance|migrations\/testing)\/|^tools\//;

/** Whether a text has the name of a stage as a string, as a property, or in the form of an enumeration. */
const namesStage = (text: string, stage: string): boolean =>
  new RegExp(String.raw`'${stage}'|\b${stage}:|STAGE_${stage.toUpperCase()}\b`).test(text);

test('a new stage changes five files', () => {
  const files = execFileSync('git', ['ls-files', 'libs/*.ts', 'services/*.ts', 'tools/*.ts', 'proto/*.proto'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const found = files
    .trim()
    .split('\n')
    .filter((file) => !NOT_PRODUCTION.test(file))
    .filter((file) => STAGES.every((stage) => namesStage(readFileSync(join(ROOT, file), 'utf8'), stage)));
  expect(found.toSorted()).toEqual([...OF_EVERY_STAGE, ...OTHERS].toSorted());
  const contributing = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8');
  for (const file of OF_EVERY_STAGE) expect(contributing).toContain(`\`${file}\``);
});
