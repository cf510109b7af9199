import { quickstart } from './quickstart.ts';
import type { Script, Step, ToolUse } from './script.ts';

/** What a harness puts between the parts of the name of a tool. */
const SEPARATOR = '[^A-Za-z0-9]';

/**
 * A script that calls one tool in the stage `execute`, and then states what happened. `evaluate` passes only if the
 * tool returned. The other stages answer as in the quickstart.
 * @param tool the id of a tool, such as `workspace.forecast`, or its last part
 */
export function toolCallScript(tool: string, args: NonNullable<Extract<ToolUse, { name: string }>['args']>): Script {
  const name = tool.slice(tool.indexOf('.') + 1).replaceAll(/[^A-Za-z0-9]+/g, SEPARATOR);
  const [returned, failed, missing] = [`called ${tool}`, `${tool} failed`, `${tool} was not offered`];
  const call: Step[] = [
    {
      tool: { name: `/(^|${SEPARATOR})${name}$/`, args },
      otherwise: `${missing}. Offered tools: {{tools}}`,
    },
    { text: `${returned}: {{result}}`, failed: `${failed}: {{result}}` },
  ];
  const rest = 'cases' in quickstart ? quickstart.cases : [];
  return {
    cases: [
      { when: { stage: 'execute' }, steps: call },
      { when: { stage: 'evaluate', text: `${returned}:` }, steps: verdict('pass', returned) },
      { when: { stage: 'evaluate', text: `${failed}:` }, steps: verdict('fail', failed) },
      { when: { stage: 'evaluate', text: `${missing}.` }, steps: verdict('fail', missing) },
      { when: { stage: 'evaluate' }, steps: verdict('fail', `nothing says that ${tool} was called`) },
      ...rest.filter(({ when }) => when?.stage !== 'execute' && when?.stage !== 'evaluate'),
    ],
  };
}

/** Submits a verdict with the tool for it if it is offered, otherwise as JSON text. */
function verdict(outcome: 'pass' | 'fail', reason: string): Step[] {
  const submitted = { outcome, score: outcome === 'pass' ? 1 : 0, reasons: [reason] };
  const text = JSON.stringify(submitted);
  return [{ tool: { name: '/(^|_)submit_verdict$/', args: submitted }, otherwise: text }, { text }];
}
