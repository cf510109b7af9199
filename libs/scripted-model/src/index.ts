/**
 * The scripted model: a model server that answers from a script, for the quickstart, tests and benchmarks. It speaks the
 * wire protocols of real providers, and says in every answer what it is.
 */
export type { AnswerSummary, LoggedRequest } from './http/request-log.ts';
export { MODEL_NAME } from './model.ts';
export type { Condition, Script, Step, ToolUse } from './scripts/script.ts';
export { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from './server.ts';
