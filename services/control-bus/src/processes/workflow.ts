import { isObject, type JsonObject, ReinsError } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';

/** The built-in process of a request that is one explicit workflow: input {workflowId, adapter, input}; its output is the workflow's. */
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
    message: 'a workflow needs its id and its adapter',
    path: 'input',
    hint: '{"workflowId": "…", "adapter": "…", "input": {}}',
  });
