import { isObject, type JsonObject, ReinsError } from '@reins/contracts';
import { hashJson, RETRIES } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';

/**
 * The built-in process of a request that is one tool call: input {toolId, args}, output of the tool. A call with an
 * unknown outcome is not retried.
 */
export const directTool: BuiltInProcess = {
  id: 'direct-tool',
  codeHash: hashJson('direct-tool/1'),
  async run(context, { inputs: { input, limits } }) {
    const { toolId, args = {} } = isObject(input) ? (input as JsonObject) : {};
    if (typeof toolId !== 'string' || toolId.trim() === '' || !isObject(args)) throw invalid();
    const once = { ...limits.stage, ...RETRIES.once };
    const answer = await context.effect('tool.direct', { toolId, args }, { key: 'tool', limits: once });
    return isObject(answer) ? (answer.output ?? null) : null;
  },
};

const invalid = (): ReinsError =>
  new ReinsError({
    code: 'process_invalid',
    message: 'a direct tool call needs "toolId" (a string) and "args" (an object)',
    path: 'input',
    hint: 'Send {"toolId": "…", "args": {}} as the input.',
  });
