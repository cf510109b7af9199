/**
 * The scripted model: a model server that answers from a script, for the quickstart, tests and benchmarks. It
 * implements the wire protocols of real providers. Every answer has the model name `scripted-model`.
 */
export type { AnswerSummary, LoggedRequest } from './http/request-log.ts';
export { MODEL_NAME } from './model.ts';
export { type Condition, parseScript, type Script, type Step, type ToolUse } from './scripts/script.ts';
export { toolCallScript } from './scripts/tool-call-script.ts';
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from './server.ts';
