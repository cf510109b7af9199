import { isObject, type JsonObject, ReinsError } from '@reins/contracts';
import { hashJson } from '@reins/journal';
import type { BuiltInProcess } from './built-in-process.ts';

/**
 * The built-in process of a request that is one tool call: input {toolId, args}; its output is the tool's. A call whose outcome
 * nobody knows is not made again.
 */
export const directTool: BuiltInProcess = {
  id: 'direct-tool',
  codeHash: hashJson('direct-tool/1'),
  async run(context, { inputs: { input, limits } }) {
    const { toolId, args = {} } = isObject(input) ? (input as JsonObject) : {};
    if (typeof toolId !== 'string' || toolId.trim() === '' || !isObject(args)) throw invalid();
    const once = { ...limits.stage, maxAttempts: 1, onUnknown: 'fail' } as const;
    const answer = await context.effect('tool.direct', { toolId, args }, { key: 'tool', limits: once });
    return isObject(answer) ? (answer.output ?? null) : null;
  },
};

const invalid = (): ReinsError =>
  new ReinsError({
    code: 'process_invalid',
    message: 'a direct tool call needs the id of the tool, and arguments that are an object',
    path: 'input',
    hint: '{"toolId": "…", "args": {}}',
  });
