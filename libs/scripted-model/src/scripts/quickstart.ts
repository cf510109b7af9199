import type { Script, Step } from './script.ts';

/**
 * The script of the quickstart: interview → execute → evaluate → reflect → execute → evaluate. The first execution
 * omits the closing line, so the first evaluation fails; the second round adds it.
 */

const FILE = 'hello.txt';
const GREETING = 'Hello from the scripted model.\n';
const CLOSING = 'Every step of this run is recorded.\n';

const BRIEF = `Brief (by the scripted model):
- Write ${FILE} in the working directory.
- Its first line greets the reader; its last line says that every step of the run is recorded.`;

const LESSONS = `Lessons (by the scripted model):
- ${FILE} had the greeting only. Write both lines in one go: the greeting and the closing line.`;

/** Submits the verdict with the tool for it if it is offered, otherwise as JSON text. */
function evaluation(verdict: { outcome: 'pass' | 'fail'; score: number; reasons: string[] }): Step[] {
  const json = JSON.stringify(verdict);
  return [{ tool: { name: '/(^|_)submit_verdict$/', args: verdict }, otherwise: json }, { text: json }];
}

function execution(content: string, saying: string): Step[] {
  return [
    {
      thinking: `I am the scripted model; I write ${FILE}.`,
      text: `Writing ${FILE}.`,
      tool: { kind: 'write', file: FILE, content },
      otherwise: `The scripted model would write ${FILE}, but no tool for that is offered.`,
    },
    { text: saying },
  ];
}

export const quickstart: Script = {
  cases: [
    { when: { stage: 'interview' }, steps: [{ text: BRIEF }] },
    {
      when: { stage: 'execute', fromIteration: 2 },
      steps: execution(GREETING + CLOSING, `The scripted model wrote ${FILE} with its greeting and its closing line.`),
    },
    {
      when: { stage: 'execute' },
      steps: execution(GREETING, `The scripted model wrote ${FILE} with its greeting.`),
    },
    {
      when: { stage: 'evaluate', fromIteration: 2 },
      steps: evaluation({ outcome: 'pass', score: 1, reasons: [`${FILE} has its greeting and its closing line`] }),
    },
    {
      when: { stage: 'evaluate' },
      steps: evaluation({ outcome: 'fail', score: 0.4, reasons: [`${FILE} lacks its closing line`] }),
    },
    { when: { stage: 'reflect' }, steps: [{ text: LESSONS }] },
    { steps: [{ text: 'This is the scripted model: it answers from a script, and this request is not in it.' }] },
  ],
};
