import { isObject, type JsonObject, ReinsError } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';

/** The built-in process that runs one workflow: input {workflowId, adapter, input}, output of the workflow. */
export const workflow: BuiltInProcess = {
  id: 'workflow',
  codeHash: hashJson('workflow/1'),
  async run(context, { inputs }) {
    const { workflowId, adapter, input = null } = isObject(inputs.input) ? (inputs.input as JsonObject) : {};
    if (!isName(workflowId) || !isName(adapter)) throw invalid();
    const request = { workflowId, adapter, input };
    const answer = await context.effect('workflow', request, { key: 'workflow', limits: inputs.limits.stage });
    return isObject(answer) ? (answer.output ?? null) : null;
  },
};

const isName = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const invalid = (): ReinsError =>
  new ReinsError({
    code: 'process_invalid',
    message: 'the process "workflow" needs "workflowId" and "adapter" (non-empty strings)',
    path: 'input',
    hint: 'Send {"workflowId": "…", "adapter": "…", "input": {}} as the input.',
  });
