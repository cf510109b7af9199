import { quickstart } from './quickstart.ts';
import type { Script, Step, ToolUse } from './script.ts';

/** What a harness puts between the parts of the name of a tool. */
const SEPARATOR = '[^A-Za-z0-9]';

/**
 * A script that calls one tool in the stage `execute`, and then answers with its result. The other stages answer as in
 * the quickstart, except that `evaluate` passes at once.
 * @param tool the id of a tool, such as `workspace.forecast`, or its last part
 */
export function toolCallScript(tool: string, args: NonNullable<Extract<ToolUse, { name: string }>['args']>): Script {
  const name = tool.slice(tool.indexOf('.') + 1).replaceAll(/[^A-Za-z0-9]+/g, SEPARATOR);
  const call: Step[] = [
    {
      tool: { name: `/(^|${SEPARATOR})${name}$/`, args },
      otherwise: `The tool ${tool} is not offered. Offered tools: {{tools}}`,
    },
    { text: `The tool ${tool} returned: {{result}}` },
  ];
  const passed = JSON.stringify({ outcome: 'pass', score: 1, reasons: [`the script called ${tool}`] });
  const verdict: Step[] = [
    { tool: { name: '/(^|_)submit_verdict$/', args: JSON.parse(passed) }, otherwise: passed },
    { text: passed },
  ];
  const rest = 'cases' in quickstart ? quickstart.cases : [];
  return {
    cases: [
      { when: { stage: 'execute' }, steps: call },
      { when: { stage: 'evaluate' }, steps: verdict },
      ...rest.filter(({ when }) => when?.stage !== 'execute' && when?.stage !== 'evaluate'),
    ],
  };
}
