// Generated from proto/ by `npm run generate`. Do not edit.

import { addProblem, FORMATS, isObject, isText, type Check } from '../validation/checks.ts';
import type { Problem } from '../errors/problem.ts';

export function checkAgentHandoff(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentOutputDelta(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentThinkingDelta(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentToolStart(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentToolResult(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentSkillInvoked(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentCompactionStart(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentCompactionEnd(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentModelCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentLanggraphInvoke(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentNodeCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentNative(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentToolOutput(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkCommandRunSubmit(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.submit') addProblem(out, `${at}.type`, 'must be "command.run.submit"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const revision_ = v.revision;
  if (revision_ === undefined) addProblem(out, `${at}.revision`, 'is required');
  else {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) addProblem(out, `${at}.revision`, FORMATS.sha256.message);
  }
  const input_ = v.input;
  if (input_ === undefined) addProblem(out, `${at}.input`, 'is required');
  const attachments_ = v.attachments;
  if (attachments_ !== undefined) {
    if (!Array.isArray(attachments_)) addProblem(out, `${at}.attachments`, 'must be a list');
    else for (const [i, item] of attachments_.entries()) {
      checkBlobRef(item, `${at}.attachments[${i}]`, out);
    }
  }
  const model_ = v.model;
  if (model_ !== undefined) {
    if (typeof model_ !== 'string') addProblem(out, `${at}.model`, 'must be a string');
  }
  const thinkingValue_ = v.thinkingValue;
  if (thinkingValue_ !== undefined) {
    if (typeof thinkingValue_ !== 'string') addProblem(out, `${at}.thinkingValue`, 'must be a string');
  }
  const stages_ = v.stages;
  if (stages_ !== undefined) {
    if (!isObject(stages_)) addProblem(out, `${at}.stages`, 'must be an object');
    else for (const [key, item] of Object.entries(stages_)) {
      if (typeof item !== 'string') addProblem(out, `${at}.stages.${key}`, 'must be a string');
    }
  }
  const metadata_ = v.metadata;
  if (metadata_ !== undefined) {
    if (!isObject(metadata_)) addProblem(out, `${at}.metadata`, 'must be an object');
  }
  const process_ = v.process;
  if (process_ !== undefined) {
    if (typeof process_ !== 'string') addProblem(out, `${at}.process`, 'must be a string');
  }
  const retryOf_ = v.retryOf;
  if (retryOf_ !== undefined) {
    if (typeof retryOf_ !== 'string' || !FORMATS.token.test(retryOf_)) addProblem(out, `${at}.retryOf`, FORMATS.token.message);
  }
  const submittedAt_ = v.submittedAt;
  if (submittedAt_ === undefined) addProblem(out, `${at}.submittedAt`, 'is required');
  else {
    if (typeof submittedAt_ !== 'string' || !FORMATS.timestamp.test(submittedAt_)) addProblem(out, `${at}.submittedAt`, FORMATS.timestamp.message);
  }
  const parent_ = v.parent;
  if (parent_ !== undefined) {
    checkParentRef(parent_, `${at}.parent`, out);
  }
  const traceparent_ = v.traceparent;
  if (traceparent_ !== undefined) {
    if (typeof traceparent_ !== 'string') addProblem(out, `${at}.traceparent`, 'must be a string');
  }
  const fork_ = v.fork;
  if (fork_ !== undefined) {
    checkForkRef(fork_, `${at}.fork`, out);
  }
  const tracestate_ = v.tracestate;
  if (tracestate_ !== undefined) {
    if (typeof tracestate_ !== 'string') addProblem(out, `${at}.tracestate`, 'must be a string');
  }
  const userId_ = v.userId;
  if (userId_ !== undefined) {
    if (typeof userId_ !== 'string' || !FORMATS.token.test(userId_)) addProblem(out, `${at}.userId`, FORMATS.token.message);
  }
}

export function checkCommandRunCancel(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.cancel') addProblem(out, `${at}.type`, 'must be "command.run.cancel"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkCommandRunAnswer(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.answer') addProblem(out, `${at}.type`, 'must be "command.run.answer"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const answer_ = v.answer;
  if (answer_ === undefined) addProblem(out, `${at}.answer`, 'is required');
  const error_ = v.error;
  if (error_ !== undefined) {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const answeredBy_ = v.answeredBy;
  if (answeredBy_ !== undefined) {
    if (typeof answeredBy_ !== 'string') addProblem(out, `${at}.answeredBy`, 'must be a string');
  }
  const questionNumber_ = v.questionNumber;
  if (questionNumber_ !== undefined) {
    if (!Number.isSafeInteger(questionNumber_) || (questionNumber_ as number) < 1) addProblem(out, `${at}.questionNumber`, 'must be an integer, at least 1');
  }
}

export function checkCommandRunPause(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.pause') addProblem(out, `${at}.type`, 'must be "command.run.pause"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkCommandRunResume(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.resume') addProblem(out, `${at}.type`, 'must be "command.run.resume"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkCommandRunUnpark(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.unpark') addProblem(out, `${at}.type`, 'must be "command.run.unpark"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkCommandRunHalt(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.halt') addProblem(out, `${at}.type`, 'must be "command.run.halt"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkCommandRunAssign(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.assign') addProblem(out, `${at}.type`, 'must be "command.run.assign"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const process_ = v.process;
  if (process_ === undefined) addProblem(out, `${at}.process`, 'is required');
  else {
    if (!isText(process_)) addProblem(out, `${at}.process`, 'must be a string that is not blank');
  }
  const force_ = v.force;
  if (force_ !== undefined) {
    if (typeof force_ !== 'boolean') addProblem(out, `${at}.force`, 'must be true or false');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
  const revision_ = v.revision;
  if (revision_ !== undefined) {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) addProblem(out, `${at}.revision`, FORMATS.sha256.message);
  }
}

export function checkCommandEffectCancel(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.effect.cancel') addProblem(out, `${at}.type`, 'must be "command.effect.cancel"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkCommandEffectInvalidate(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.effect.invalidate') addProblem(out, `${at}.type`, 'must be "command.effect.invalidate"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkCommandApprovalResolve(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.approval.resolve') addProblem(out, `${at}.type`, 'must be "command.approval.resolve"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) addProblem(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) addProblem(out, `${at}.approvalId`, FORMATS.token.message);
  }
  const decision_ = v.decision;
  if (decision_ === undefined) addProblem(out, `${at}.decision`, 'is required');
  else {
    if (decision_ !== 'approved' && decision_ !== 'denied') addProblem(out, `${at}.decision`, 'must be one of approved, denied');
  }
  const decidedBy_ = v.decidedBy;
  if (decidedBy_ === undefined) addProblem(out, `${at}.decidedBy`, 'is required');
  else {
    if (!isText(decidedBy_)) addProblem(out, `${at}.decidedBy`, 'must be a string that is not blank');
  }
  const comment_ = v.comment;
  if (comment_ !== undefined) {
    if (typeof comment_ !== 'string') addProblem(out, `${at}.comment`, 'must be a string');
  }
}

export function checkCommandSignal(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.signal') addProblem(out, `${at}.type`, 'must be "command.signal"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const name_ = v.name;
  if (name_ === undefined) addProblem(out, `${at}.name`, 'is required');
  else {
    if (!isText(name_)) addProblem(out, `${at}.name`, 'must be a string that is not blank');
  }
}

export function checkTimerDue(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'timer.due') addProblem(out, `${at}.type`, 'must be "timer.due"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const timer_ = v.timer;
  if (timer_ === undefined) addProblem(out, `${at}.timer`, 'is required');
  else {
    if (timer_ !== 'start' && timer_ !== 'prepare' && timer_ !== 'run' && timer_ !== 'wake' && timer_ !== 'expiry' && timer_ !== 'grace' && timer_ !== 'retry') addProblem(out, `${at}.timer`, 'must be one of start, prepare, run, wake, expiry, grace, retry');
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkEffectProgress(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'effect.progress') addProblem(out, `${at}.type`, 'must be "effect.progress"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const percent_ = v.percent;
  if (percent_ !== undefined) {
    if (!Number.isFinite(percent_) || (percent_ as number) < 0 || (percent_ as number) > 100) addProblem(out, `${at}.percent`, 'must be a number, at least 0, at most 100');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
}

export function checkErrorInfo(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const code_ = v.code;
  if (code_ === undefined) addProblem(out, `${at}.code`, 'is required');
  else {
    if (!isText(code_)) addProblem(out, `${at}.code`, 'must be a string that is not blank');
  }
  const message_ = v.message;
  if (message_ === undefined) addProblem(out, `${at}.message`, 'is required');
  else {
    if (typeof message_ !== 'string') addProblem(out, `${at}.message`, 'must be a string');
  }
  const path_ = v.path;
  if (path_ !== undefined) {
    if (typeof path_ !== 'string') addProblem(out, `${at}.path`, 'must be a string');
  }
  const hint_ = v.hint;
  if (hint_ !== undefined) {
    if (typeof hint_ !== 'string') addProblem(out, `${at}.hint`, 'must be a string');
  }
  const name_ = v.name;
  if (name_ !== undefined) {
    if (typeof name_ !== 'string') addProblem(out, `${at}.name`, 'must be a string');
  }
  const stack_ = v.stack;
  if (stack_ !== undefined) {
    if (typeof stack_ !== 'string') addProblem(out, `${at}.stack`, 'must be a string');
  }
}

export function checkDiagnostic(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const severity_ = v.severity;
  if (severity_ === undefined) addProblem(out, `${at}.severity`, 'is required');
  else {
    if (severity_ !== 'error' && severity_ !== 'warning') addProblem(out, `${at}.severity`, 'must be one of error, warning');
  }
  const code_ = v.code;
  if (code_ === undefined) addProblem(out, `${at}.code`, 'is required');
  else {
    if (!isText(code_)) addProblem(out, `${at}.code`, 'must be a string that is not blank');
  }
  const message_ = v.message;
  if (message_ === undefined) addProblem(out, `${at}.message`, 'is required');
  else {
    if (typeof message_ !== 'string') addProblem(out, `${at}.message`, 'must be a string');
  }
  const path_ = v.path;
  if (path_ !== undefined) {
    if (typeof path_ !== 'string') addProblem(out, `${at}.path`, 'must be a string');
  }
  const hint_ = v.hint;
  if (hint_ !== undefined) {
    if (typeof hint_ !== 'string') addProblem(out, `${at}.hint`, 'must be a string');
  }
  const file_ = v.file;
  if (file_ !== undefined) {
    if (typeof file_ !== 'string') addProblem(out, `${at}.file`, 'must be a string');
  }
  const line_ = v.line;
  if (line_ !== undefined) {
    if (!Number.isSafeInteger(line_) || (line_ as number) < 1) addProblem(out, `${at}.line`, 'must be an integer, at least 1');
  }
  const column_ = v.column;
  if (column_ !== undefined) {
    if (!Number.isSafeInteger(column_) || (column_ as number) < 1) addProblem(out, `${at}.column`, 'must be an integer, at least 1');
  }
  const source_ = v.source;
  if (source_ !== undefined) {
    if (typeof source_ !== 'string') addProblem(out, `${at}.source`, 'must be a string');
  }
  const alias_ = v.alias;
  if (alias_ !== undefined) {
    if (typeof alias_ !== 'string') addProblem(out, `${at}.alias`, 'must be a string');
  }
}

export function checkBlobRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const sha256_ = v.sha256;
  if (sha256_ === undefined) addProblem(out, `${at}.sha256`, 'is required');
  else {
    if (typeof sha256_ !== 'string' || !FORMATS.sha256.test(sha256_)) addProblem(out, `${at}.sha256`, FORMATS.sha256.message);
  }
  const size_ = v.size;
  if (size_ === undefined) addProblem(out, `${at}.size`, 'is required');
  else {
    if (!Number.isSafeInteger(size_) || (size_ as number) < 0) addProblem(out, `${at}.size`, 'must be an integer, at least 0');
  }
  const mediaType_ = v.mediaType;
  if (mediaType_ !== undefined) {
    if (typeof mediaType_ !== 'string') addProblem(out, `${at}.mediaType`, 'must be a string');
  }
  const name_ = v.name;
  if (name_ !== undefined) {
    if (typeof name_ !== 'string') addProblem(out, `${at}.name`, 'must be a string');
  }
}

export function checkUsage(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const provider_ = v.provider;
  if (provider_ !== undefined) {
    if (typeof provider_ !== 'string') addProblem(out, `${at}.provider`, 'must be a string');
  }
  const model_ = v.model;
  if (model_ !== undefined) {
    if (typeof model_ !== 'string') addProblem(out, `${at}.model`, 'must be a string');
  }
  const inputTokens_ = v.inputTokens;
  if (inputTokens_ === undefined) addProblem(out, `${at}.inputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(inputTokens_) || (inputTokens_ as number) < 0) addProblem(out, `${at}.inputTokens`, 'must be an integer, at least 0');
  }
  const cachedInputTokens_ = v.cachedInputTokens;
  if (cachedInputTokens_ !== undefined) {
    if (!Number.isSafeInteger(cachedInputTokens_) || (cachedInputTokens_ as number) < 0) addProblem(out, `${at}.cachedInputTokens`, 'must be an integer, at least 0');
  }
  const outputTokens_ = v.outputTokens;
  if (outputTokens_ === undefined) addProblem(out, `${at}.outputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(outputTokens_) || (outputTokens_ as number) < 0) addProblem(out, `${at}.outputTokens`, 'must be an integer, at least 0');
  }
  const costUsd_ = v.costUsd;
  if (costUsd_ !== undefined) {
    if (!Number.isFinite(costUsd_) || (costUsd_ as number) < 0) addProblem(out, `${at}.costUsd`, 'must be a number, at least 0');
  }
  const source_ = v.source;
  if (source_ !== undefined) {
    if (source_ !== 'reported' && source_ !== 'estimated') addProblem(out, `${at}.source`, 'must be one of reported, estimated');
  }
}

export function checkStageBudget(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const maxTokens_ = v.maxTokens;
  if (maxTokens_ !== undefined) {
    if (!Number.isSafeInteger(maxTokens_) || (maxTokens_ as number) < 1) addProblem(out, `${at}.maxTokens`, 'must be an integer, at least 1');
  }
  const maxCostUsd_ = v.maxCostUsd;
  if (maxCostUsd_ !== undefined) {
    if (!Number.isFinite(maxCostUsd_) || (maxCostUsd_ as number) < 0) addProblem(out, `${at}.maxCostUsd`, 'must be a number, at least 0');
  }
  const usedTokens_ = v.usedTokens;
  if (usedTokens_ === undefined) addProblem(out, `${at}.usedTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(usedTokens_) || (usedTokens_ as number) < 0) addProblem(out, `${at}.usedTokens`, 'must be an integer, at least 0');
  }
  const usedCostUsd_ = v.usedCostUsd;
  if (usedCostUsd_ === undefined) addProblem(out, `${at}.usedCostUsd`, 'is required');
  else {
    if (!Number.isFinite(usedCostUsd_) || (usedCostUsd_ as number) < 0) addProblem(out, `${at}.usedCostUsd`, 'must be a number, at least 0');
  }
  const sharedBy_ = v.sharedBy;
  if (sharedBy_ !== undefined) {
    if (typeof sharedBy_ !== 'string' || !FORMATS.token.test(sharedBy_)) addProblem(out, `${at}.sharedBy`, FORMATS.token.message);
  }
}

export function checkModelCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const provider_ = v.provider;
  if (provider_ === undefined) addProblem(out, `${at}.provider`, 'is required');
  else {
    if (typeof provider_ !== 'string') addProblem(out, `${at}.provider`, 'must be a string');
  }
  const model_ = v.model;
  if (model_ === undefined) addProblem(out, `${at}.model`, 'is required');
  else {
    if (typeof model_ !== 'string') addProblem(out, `${at}.model`, 'must be a string');
  }
  const usage_ = v.usage;
  if (usage_ === undefined) addProblem(out, `${at}.usage`, 'is required');
  else {
    if (usage_ !== 'reported' && usage_ !== 'estimated' && usage_ !== 'unknown') addProblem(out, `${at}.usage`, 'must be one of reported, estimated, unknown');
  }
  const durationMs_ = v.durationMs;
  if (durationMs_ === undefined) addProblem(out, `${at}.durationMs`, 'is required');
  else {
    if (!Number.isSafeInteger(durationMs_) || (durationMs_ as number) < 0) addProblem(out, `${at}.durationMs`, 'must be an integer, at least 0');
  }
  const status_ = v.status;
  if (status_ !== undefined) {
    if (!Number.isSafeInteger(status_)) addProblem(out, `${at}.status`, 'must be an integer');
  }
  const inputTokens_ = v.inputTokens;
  if (inputTokens_ !== undefined) {
    if (!Number.isSafeInteger(inputTokens_) || (inputTokens_ as number) < 0) addProblem(out, `${at}.inputTokens`, 'must be an integer, at least 0');
  }
  const cachedInputTokens_ = v.cachedInputTokens;
  if (cachedInputTokens_ !== undefined) {
    if (!Number.isSafeInteger(cachedInputTokens_) || (cachedInputTokens_ as number) < 0) addProblem(out, `${at}.cachedInputTokens`, 'must be an integer, at least 0');
  }
  const outputTokens_ = v.outputTokens;
  if (outputTokens_ !== undefined) {
    if (!Number.isSafeInteger(outputTokens_) || (outputTokens_ as number) < 0) addProblem(out, `${at}.outputTokens`, 'must be an integer, at least 0');
  }
  const costUsd_ = v.costUsd;
  if (costUsd_ !== undefined) {
    if (!Number.isFinite(costUsd_) || (costUsd_ as number) < 0) addProblem(out, `${at}.costUsd`, 'must be a number, at least 0');
  }
  const firstTokenMs_ = v.firstTokenMs;
  if (firstTokenMs_ !== undefined) {
    if (!Number.isSafeInteger(firstTokenMs_) || (firstTokenMs_ as number) < 0) addProblem(out, `${at}.firstTokenMs`, 'must be an integer, at least 0');
  }
}

export function checkVerdict(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const outcome_ = v.outcome;
  if (outcome_ === undefined) addProblem(out, `${at}.outcome`, 'is required');
  else {
    if (outcome_ !== 'pass' && outcome_ !== 'fail') addProblem(out, `${at}.outcome`, 'must be one of pass, fail');
  }
  const score_ = v.score;
  if (score_ !== undefined) {
    if (!Number.isFinite(score_) || (score_ as number) < 0 || (score_ as number) > 1) addProblem(out, `${at}.score`, 'must be a number, at least 0, at most 1');
  }
  const reasons_ = v.reasons;
  if (reasons_ === undefined) addProblem(out, `${at}.reasons`, 'is required');
  else {
    if (!Array.isArray(reasons_)) addProblem(out, `${at}.reasons`, 'must be a list');
    else for (const [i, item] of reasons_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.reasons[${i}]`, 'must be a string');
    }
  }
}

export function checkArtifact(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
  const path_ = v.path;
  if (path_ === undefined) addProblem(out, `${at}.path`, 'is required');
  else {
    if (!isText(path_)) addProblem(out, `${at}.path`, 'must be a string that is not blank');
  }
  const mediaType_ = v.mediaType;
  if (mediaType_ === undefined) addProblem(out, `${at}.mediaType`, 'is required');
  else {
    if (!isText(mediaType_)) addProblem(out, `${at}.mediaType`, 'must be a string that is not blank');
  }
  const bytes_ = v.bytes;
  if (bytes_ === undefined) addProblem(out, `${at}.bytes`, 'is required');
  else {
    if (!Number.isSafeInteger(bytes_) || (bytes_ as number) < 0) addProblem(out, `${at}.bytes`, 'must be an integer, at least 0');
  }
  const sha256_ = v.sha256;
  if (sha256_ === undefined) addProblem(out, `${at}.sha256`, 'is required');
  else {
    if (typeof sha256_ !== 'string' || !FORMATS.sha256.test(sha256_)) addProblem(out, `${at}.sha256`, FORMATS.sha256.message);
  }
  const ref_ = v.ref;
  if (ref_ === undefined) addProblem(out, `${at}.ref`, 'is required');
  else {
    if (!isText(ref_)) addProblem(out, `${at}.ref`, 'must be a string that is not blank');
  }
}

export function checkApprovalSubject(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (kind_ !== 'tool' && kind_ !== 'breakpoint' && kind_ !== 'memory' && kind_ !== 'budget') addProblem(out, `${at}.kind`, 'must be one of tool, breakpoint, memory, budget');
  }
  const toolId_ = v.toolId;
  if (toolId_ !== undefined) {
    if (typeof toolId_ !== 'string') addProblem(out, `${at}.toolId`, 'must be a string');
  }
  const callId_ = v.callId;
  if (callId_ !== undefined) {
    if (typeof callId_ !== 'string') addProblem(out, `${at}.callId`, 'must be a string');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
}

export function checkMcpServerMapping(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const logicalId_ = v.logicalId;
  if (logicalId_ === undefined) addProblem(out, `${at}.logicalId`, 'is required');
  else {
    if (!isText(logicalId_)) addProblem(out, `${at}.logicalId`, 'must be a string that is not blank');
  }
  const physicalId_ = v.physicalId;
  if (physicalId_ === undefined) addProblem(out, `${at}.physicalId`, 'is required');
  else {
    if (!isText(physicalId_)) addProblem(out, `${at}.physicalId`, 'must be a string that is not blank');
  }
}

export function checkDegradedServer(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const serverId_ = v.serverId;
  if (serverId_ === undefined) addProblem(out, `${at}.serverId`, 'is required');
  else {
    if (!isText(serverId_)) addProblem(out, `${at}.serverId`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const missingToolIds_ = v.missingToolIds;
  if (missingToolIds_ === undefined) addProblem(out, `${at}.missingToolIds`, 'is required');
  else {
    if (!Array.isArray(missingToolIds_)) addProblem(out, `${at}.missingToolIds`, 'must be a list');
    else for (const [i, item] of missingToolIds_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.missingToolIds[${i}]`, 'must be a string');
    }
  }
  const required_ = v.required;
  if (required_ === undefined) addProblem(out, `${at}.required`, 'is required');
  else {
    if (typeof required_ !== 'boolean') addProblem(out, `${at}.required`, 'must be true or false');
  }
}

export function checkDeniedTool(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const toolId_ = v.toolId;
  if (toolId_ === undefined) addProblem(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) addProblem(out, `${at}.toolId`, 'must be a string that is not blank');
  }
  const policyId_ = v.policyId;
  if (policyId_ === undefined) addProblem(out, `${at}.policyId`, 'is required');
  else {
    if (!isText(policyId_)) addProblem(out, `${at}.policyId`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
}

export function checkProcessRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (!isText(id_)) addProblem(out, `${at}.id`, 'must be a string that is not blank');
  }
  const codeHash_ = v.codeHash;
  if (codeHash_ === undefined) addProblem(out, `${at}.codeHash`, 'is required');
  else {
    if (!isText(codeHash_)) addProblem(out, `${at}.codeHash`, 'must be a string that is not blank');
  }
  const revision_ = v.revision;
  if (revision_ !== undefined) {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) addProblem(out, `${at}.revision`, FORMATS.sha256.message);
  }
}

export function checkParentRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const depth_ = v.depth;
  if (depth_ === undefined) addProblem(out, `${at}.depth`, 'is required');
  else {
    if (!Number.isSafeInteger(depth_) || (depth_ as number) < 1) addProblem(out, `${at}.depth`, 'must be an integer, at least 1');
  }
  const rootRequestId_ = v.rootRequestId;
  if (rootRequestId_ !== undefined) {
    if (typeof rootRequestId_ !== 'string' || !FORMATS.token.test(rootRequestId_)) addProblem(out, `${at}.rootRequestId`, FORMATS.token.message);
  }
}

export function checkForkRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const at_ = v.at;
  if (at_ === undefined) addProblem(out, `${at}.at`, 'is required');
  else {
    if (!Number.isSafeInteger(at_) || (at_ as number) < 1) addProblem(out, `${at}.at`, 'must be an integer, at least 1');
  }
}

export function checkLimits(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const startWithinMs_ = v.startWithinMs;
  if (startWithinMs_ === undefined) addProblem(out, `${at}.startWithinMs`, 'is required');
  else {
    if (!Number.isSafeInteger(startWithinMs_) || (startWithinMs_ as number) < 1) addProblem(out, `${at}.startWithinMs`, 'must be an integer, at least 1');
  }
  const runForMs_ = v.runForMs;
  if (runForMs_ === undefined) addProblem(out, `${at}.runForMs`, 'is required');
  else {
    if (!Number.isSafeInteger(runForMs_) || (runForMs_ as number) < 1) addProblem(out, `${at}.runForMs`, 'must be an integer, at least 1');
  }
  const maxAttempts_ = v.maxAttempts;
  if (maxAttempts_ === undefined) addProblem(out, `${at}.maxAttempts`, 'is required');
  else {
    if (!Number.isSafeInteger(maxAttempts_) || (maxAttempts_ as number) < 1) addProblem(out, `${at}.maxAttempts`, 'must be an integer, at least 1');
  }
  const onUnknown_ = v.onUnknown;
  if (onUnknown_ === undefined) addProblem(out, `${at}.onUnknown`, 'is required');
  else {
    if (onUnknown_ !== 'retry' && onUnknown_ !== 'fail' && onUnknown_ !== 'ask') addProblem(out, `${at}.onUnknown`, 'must be one of retry, fail, ask');
  }
  const prepareForMs_ = v.prepareForMs;
  if (prepareForMs_ !== undefined) {
    if (!Number.isSafeInteger(prepareForMs_) || (prepareForMs_ as number) < 1) addProblem(out, `${at}.prepareForMs`, 'must be an integer, at least 1');
  }
  const onTimeout_ = v.onTimeout;
  if (onTimeout_ !== undefined) {
    if (onTimeout_ !== 'retry' && onTimeout_ !== 'fail') addProblem(out, `${at}.onTimeout`, 'must be one of retry, fail');
  }
  const onNoHost_ = v.onNoHost;
  if (onNoHost_ !== undefined) {
    if (onNoHost_ !== 'wait' && onNoHost_ !== 'fail') addProblem(out, `${at}.onNoHost`, 'must be one of wait, fail');
  }
}

export function checkReplacedRuntime(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const code_ = v.code;
  if (code_ === undefined) addProblem(out, `${at}.code`, 'is required');
  else {
    if (!isText(code_)) addProblem(out, `${at}.code`, 'must be a string that is not blank');
  }
}

export function checkSuspension(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const tree_ = v.tree;
  if (tree_ === undefined) addProblem(out, `${at}.tree`, 'is required');
  else {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) addProblem(out, `${at}.tree`, FORMATS.sha256.message);
  }
  const harnessSessionId_ = v.harnessSessionId;
  if (harnessSessionId_ !== undefined) {
    if (typeof harnessSessionId_ !== 'string') addProblem(out, `${at}.harnessSessionId`, 'must be a string');
  }
  const signals_ = v.signals;
  if (signals_ === undefined) addProblem(out, `${at}.signals`, 'is required');
  else {
    if (!Number.isSafeInteger(signals_) || (signals_ as number) < 0) addProblem(out, `${at}.signals`, 'must be an integer, at least 0');
  }
}

export function checkStageResume(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const number_ = v.number;
  if (number_ === undefined) addProblem(out, `${at}.number`, 'is required');
  else {
    if (!Number.isSafeInteger(number_) || (number_ as number) < 1) addProblem(out, `${at}.number`, 'must be an integer, at least 1');
  }
  const answer_ = v.answer;
  if (answer_ === undefined) addProblem(out, `${at}.answer`, 'is required');
  const signals_ = v.signals;
  if (signals_ === undefined) addProblem(out, `${at}.signals`, 'is required');
  else {
    if (!Number.isSafeInteger(signals_) || (signals_ as number) < 0) addProblem(out, `${at}.signals`, 'must be an integer, at least 0');
  }
}

export function checkTurn(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const input_ = v.input;
  if (input_ === undefined) addProblem(out, `${at}.input`, 'is required');
  else {
    if (typeof input_ !== 'string') addProblem(out, `${at}.input`, 'must be a string');
  }
  const output_ = v.output;
  if (output_ === undefined) addProblem(out, `${at}.output`, 'is required');
  else {
    if (typeof output_ !== 'string') addProblem(out, `${at}.output`, 'must be a string');
  }
  const endedAt_ = v.endedAt;
  if (endedAt_ === undefined) addProblem(out, `${at}.endedAt`, 'is required');
  else {
    if (typeof endedAt_ !== 'string' || !FORMATS.timestamp.test(endedAt_)) addProblem(out, `${at}.endedAt`, FORMATS.timestamp.message);
  }
}

export function checkLastRun(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const status_ = v.status;
  if (status_ === undefined) addProblem(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'completed' && status_ !== 'failed' && status_ !== 'cancelled') addProblem(out, `${at}.status`, 'must be one of completed, failed, cancelled');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const endedAt_ = v.endedAt;
  if (endedAt_ === undefined) addProblem(out, `${at}.endedAt`, 'is required');
  else {
    if (typeof endedAt_ !== 'string' || !FORMATS.timestamp.test(endedAt_)) addProblem(out, `${at}.endedAt`, FORMATS.timestamp.message);
  }
  const question_ = v.question;
  if (question_ !== undefined) {
    if (typeof question_ !== 'string') addProblem(out, `${at}.question`, 'must be a string');
  }
}

export function checkToolResultRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const callId_ = v.callId;
  if (callId_ === undefined) addProblem(out, `${at}.callId`, 'is required');
  else {
    if (typeof callId_ !== 'string') addProblem(out, `${at}.callId`, 'must be a string');
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) addProblem(out, `${at}.toolId`, 'is required');
  else {
    if (typeof toolId_ !== 'string') addProblem(out, `${at}.toolId`, 'must be a string');
  }
  const status_ = v.status;
  if (status_ === undefined) addProblem(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'completed' && status_ !== 'failed') addProblem(out, `${at}.status`, 'must be one of completed, failed');
  }
  const bytes_ = v.bytes;
  if (bytes_ === undefined) addProblem(out, `${at}.bytes`, 'is required');
  else {
    if (!Number.isSafeInteger(bytes_) || (bytes_ as number) < 0) addProblem(out, `${at}.bytes`, 'must be an integer, at least 0');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkStageHandoff(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const toolResults_ = v.toolResults;
  if (toolResults_ !== undefined) {
    if (!Array.isArray(toolResults_)) addProblem(out, `${at}.toolResults`, 'must be a list');
    else for (const [i, item] of toolResults_.entries()) {
      checkToolResultRef(item, `${at}.toolResults[${i}]`, out);
    }
  }
  const omittedResults_ = v.omittedResults;
  if (omittedResults_ !== undefined) {
    if (!Number.isSafeInteger(omittedResults_) || (omittedResults_ as number) < 1) addProblem(out, `${at}.omittedResults`, 'must be an integer, at least 1');
  }
  const openSteps_ = v.openSteps;
  if (openSteps_ !== undefined) {
    if (!Array.isArray(openSteps_)) addProblem(out, `${at}.openSteps`, 'must be a list');
    else for (const [i, item] of openSteps_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.openSteps[${i}]`, 'must be a string');
    }
  }
  const goal_ = v.goal;
  if (goal_ !== undefined) {
    if (typeof goal_ !== 'string') addProblem(out, `${at}.goal`, 'must be a string');
  }
  const decisions_ = v.decisions;
  if (decisions_ !== undefined) {
    if (!Array.isArray(decisions_)) addProblem(out, `${at}.decisions`, 'must be a list');
    else for (const [i, item] of decisions_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.decisions[${i}]`, 'must be a string');
    }
  }
  const filesChanged_ = v.filesChanged;
  if (filesChanged_ !== undefined) {
    if (!Array.isArray(filesChanged_)) addProblem(out, `${at}.filesChanged`, 'must be a list');
    else for (const [i, item] of filesChanged_.entries()) {
      checkHandoffFile(item, `${at}.filesChanged[${i}]`, out);
    }
  }
  const omittedFiles_ = v.omittedFiles;
  if (omittedFiles_ !== undefined) {
    if (!Number.isSafeInteger(omittedFiles_) || (omittedFiles_ as number) < 1) addProblem(out, `${at}.omittedFiles`, 'must be an integer, at least 1');
  }
  const openQuestions_ = v.openQuestions;
  if (openQuestions_ !== undefined) {
    if (!Array.isArray(openQuestions_)) addProblem(out, `${at}.openQuestions`, 'must be a list');
    else for (const [i, item] of openQuestions_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.openQuestions[${i}]`, 'must be a string');
    }
  }
}

export function checkHandoffFile(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const path_ = v.path;
  if (path_ === undefined) addProblem(out, `${at}.path`, 'is required');
  else {
    if (typeof path_ !== 'string') addProblem(out, `${at}.path`, 'must be a string');
  }
  const change_ = v.change;
  if (change_ === undefined) addProblem(out, `${at}.change`, 'is required');
  else {
    if (change_ !== 'added' && change_ !== 'modified' && change_ !== 'deleted') addProblem(out, `${at}.change`, 'must be one of added, modified, deleted');
  }
}

export function checkEndedStage(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string') addProblem(out, `${at}.runtimeId`, 'must be a string');
  }
  const handoff_ = v.handoff;
  if (handoff_ === undefined) addProblem(out, `${at}.handoff`, 'is required');
  else {
    checkStageHandoff(handoff_, `${at}.handoff`, out);
  }
  const requestId_ = v.requestId;
  if (requestId_ !== undefined) {
    if (typeof requestId_ !== 'string') addProblem(out, `${at}.requestId`, 'must be a string');
  }
}

export function checkContextOutcome(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (!isText(id_)) addProblem(out, `${at}.id`, 'must be a string that is not blank');
  }
  const status_ = v.status;
  if (status_ === undefined) addProblem(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'used' && status_ !== 'empty' && status_ !== 'timed_out' && status_ !== 'disabled' && status_ !== 'failed' && status_ !== 'unavailable') addProblem(out, `${at}.status`, 'must be one of used, empty, timed_out, disabled, failed, unavailable');
  }
  const tokens_ = v.tokens;
  if (tokens_ === undefined) addProblem(out, `${at}.tokens`, 'is required');
  else {
    if (!Number.isSafeInteger(tokens_) || (tokens_ as number) < 0) addProblem(out, `${at}.tokens`, 'must be an integer, at least 0');
  }
  const droppedTokens_ = v.droppedTokens;
  if (droppedTokens_ === undefined) addProblem(out, `${at}.droppedTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(droppedTokens_) || (droppedTokens_ as number) < 0) addProblem(out, `${at}.droppedTokens`, 'must be an integer, at least 0');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
}

export function checkStageSession(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (typeof agentId_ !== 'string') addProblem(out, `${at}.agentId`, 'must be a string');
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string') addProblem(out, `${at}.runtimeId`, 'must be a string');
  }
  const harnessSessionId_ = v.harnessSessionId;
  if (harnessSessionId_ === undefined) addProblem(out, `${at}.harnessSessionId`, 'is required');
  else {
    if (typeof harnessSessionId_ !== 'string') addProblem(out, `${at}.harnessSessionId`, 'must be a string');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string') addProblem(out, `${at}.requestId`, 'must be a string');
  }
}

export function checkSessionState(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const lastRequestId_ = v.lastRequestId;
  if (lastRequestId_ !== undefined) {
    if (typeof lastRequestId_ !== 'string' || !FORMATS.token.test(lastRequestId_)) addProblem(out, `${at}.lastRequestId`, FORMATS.token.message);
  }
  const revision_ = v.revision;
  if (revision_ !== undefined) {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) addProblem(out, `${at}.revision`, FORMATS.sha256.message);
  }
  const tree_ = v.tree;
  if (tree_ !== undefined) {
    if (typeof tree_ !== 'string') addProblem(out, `${at}.tree`, 'must be a string');
  }
  const harnessSessions_ = v.harnessSessions;
  if (harnessSessions_ !== undefined) {
    if (!isObject(harnessSessions_)) addProblem(out, `${at}.harnessSessions`, 'must be an object');
    else for (const [key, item] of Object.entries(harnessSessions_)) {
      if (typeof item !== 'string') addProblem(out, `${at}.harnessSessions.${key}`, 'must be a string');
    }
  }
  const turns_ = v.turns;
  if (turns_ !== undefined) {
    if (!Array.isArray(turns_)) addProblem(out, `${at}.turns`, 'must be a list');
    else for (const [i, item] of turns_.entries()) {
      checkTurn(item, `${at}.turns[${i}]`, out);
    }
  }
  const compactionBoundary_ = v.compactionBoundary;
  if (compactionBoundary_ !== undefined) {
    if (typeof compactionBoundary_ !== 'string') addProblem(out, `${at}.compactionBoundary`, 'must be a string');
  }
  const lastRun_ = v.lastRun;
  if (lastRun_ !== undefined) {
    checkLastRun(lastRun_, `${at}.lastRun`, out);
  }
  const stageSessions_ = v.stageSessions;
  if (stageSessions_ !== undefined) {
    if (!Array.isArray(stageSessions_)) addProblem(out, `${at}.stageSessions`, 'must be a list');
    else for (const [i, item] of stageSessions_.entries()) {
      checkStageSession(item, `${at}.stageSessions[${i}]`, out);
    }
  }
  const endedStages_ = v.endedStages;
  if (endedStages_ !== undefined) {
    if (!Array.isArray(endedStages_)) addProblem(out, `${at}.endedStages`, 'must be a list');
    else for (const [i, item] of endedStages_.entries()) {
      checkEndedStage(item, `${at}.endedStages[${i}]`, out);
    }
  }
}

export function checkMemoryUse(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const scope_ = v.scope;
  if (scope_ === undefined) addProblem(out, `${at}.scope`, 'is required');
  else {
    if (scope_ !== 'user' && scope_ !== 'workspace' && scope_ !== 'agent' && scope_ !== 'session') addProblem(out, `${at}.scope`, 'must be one of user, workspace, agent, session');
  }
  const limit_ = v.limit;
  if (limit_ === undefined) addProblem(out, `${at}.limit`, 'is required');
  else {
    if (!Number.isSafeInteger(limit_) || (limit_ as number) < 0 || (limit_ as number) > 50) addProblem(out, `${at}.limit`, 'must be an integer, at least 0, at most 50');
  }
  const maxTokens_ = v.maxTokens;
  if (maxTokens_ === undefined) addProblem(out, `${at}.maxTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(maxTokens_) || (maxTokens_ as number) < 20 || (maxTokens_ as number) > 4000) addProblem(out, `${at}.maxTokens`, 'must be an integer, at least 20, at most 4000');
  }
}

export function checkControlDirectiveEmitted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'control.directive.emitted') addProblem(out, `${at}.type`, 'must be "control.directive.emitted"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const schemaVersion_ = v.schemaVersion;
  if (schemaVersion_ === undefined) addProblem(out, `${at}.schemaVersion`, 'is required');
  else {
    if (!Number.isSafeInteger(schemaVersion_) || (schemaVersion_ as number) < 1) addProblem(out, `${at}.schemaVersion`, 'must be an integer, at least 1');
  }
  const targetType_ = v.targetType;
  if (targetType_ === undefined) addProblem(out, `${at}.targetType`, 'is required');
  else {
    if (targetType_ !== 'session' && targetType_ !== 'execution' && targetType_ !== 'lineage' && targetType_ !== 'agent_process' && targetType_ !== 'contract' && targetType_ !== 'execution_node') addProblem(out, `${at}.targetType`, 'must be one of session, execution, lineage, agent_process, contract, execution_node');
  }
  const targetId_ = v.targetId;
  if (targetId_ === undefined) addProblem(out, `${at}.targetId`, 'is required');
  else {
    if (!isText(targetId_)) addProblem(out, `${at}.targetId`, 'must be a string that is not blank');
  }
  const directive_ = v.directive;
  if (directive_ === undefined) addProblem(out, `${at}.directive`, 'is required');
  else {
    if (directive_ !== 'continue' && directive_ !== 'evaluate' && directive_ !== 'evolve' && directive_ !== 'unstuck' && directive_ !== 'retry' && directive_ !== 'compact' && directive_ !== 'wait' && directive_ !== 'cancel' && directive_ !== 'converge') addProblem(out, `${at}.directive`, 'must be one of continue, evaluate, evolve, unstuck, retry, compact, wait, cancel, converge');
  }
  const isTerminal_ = v.isTerminal;
  if (isTerminal_ === undefined) addProblem(out, `${at}.isTerminal`, 'is required');
  else {
    if (typeof isTerminal_ !== 'boolean') addProblem(out, `${at}.isTerminal`, 'must be true or false');
  }
  const emittedBy_ = v.emittedBy;
  if (emittedBy_ === undefined) addProblem(out, `${at}.emittedBy`, 'is required');
  else {
    if (!isText(emittedBy_)) addProblem(out, `${at}.emittedBy`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (!isText(reason_)) addProblem(out, `${at}.reason`, 'must be a string that is not blank');
  }
  const phase_ = v.phase;
  if (phase_ !== undefined) {
    if (!isText(phase_)) addProblem(out, `${at}.phase`, 'must be a string that is not blank');
  }
  const executionId_ = v.executionId;
  if (executionId_ !== undefined) {
    if (!isText(executionId_)) addProblem(out, `${at}.executionId`, 'must be a string that is not blank');
  }
  const lineageId_ = v.lineageId;
  if (lineageId_ !== undefined) {
    if (!isText(lineageId_)) addProblem(out, `${at}.lineageId`, 'must be a string that is not blank');
  }
  const generationNumber_ = v.generationNumber;
  if (generationNumber_ !== undefined) {
    if (!Number.isSafeInteger(generationNumber_) || (generationNumber_ as number) < 1) addProblem(out, `${at}.generationNumber`, 'must be an integer, at least 1');
  }
  const contextSnapshotId_ = v.contextSnapshotId;
  if (contextSnapshotId_ !== undefined) {
    if (!isText(contextSnapshotId_)) addProblem(out, `${at}.contextSnapshotId`, 'must be a string that is not blank');
  }
  const parentDirectiveId_ = v.parentDirectiveId;
  if (parentDirectiveId_ !== undefined) {
    if (!isText(parentDirectiveId_)) addProblem(out, `${at}.parentDirectiveId`, 'must be a string that is not blank');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const extra_ = v.extra;
  if (extra_ !== undefined) {
    if (!isObject(extra_)) addProblem(out, `${at}.extra`, 'must be an object');
  }
}

export function checkJournalCommit(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const entries_ = v.entries;
  if (entries_ === undefined) addProblem(out, `${at}.entries`, 'is required');
  else {
    if (!Array.isArray(entries_)) addProblem(out, `${at}.entries`, 'must be a list');
    else for (const [i, item] of entries_.entries()) {
      checkJournalEntry(item, `${at}.entries[${i}]`, out);
    }
  }
  const epoch_ = v.epoch;
  if (epoch_ === undefined) addProblem(out, `${at}.epoch`, 'is required');
  else {
    if (!Number.isSafeInteger(epoch_) || (epoch_ as number) < 0) addProblem(out, `${at}.epoch`, 'must be an integer, at least 0');
  }
}

export function checkJournalEntry(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const version_ = v.version;
  if (version_ === undefined) addProblem(out, `${at}.version`, 'is required');
  else {
    if (!Number.isSafeInteger(version_) || (version_ as number) < 1) addProblem(out, `${at}.version`, 'must be an integer, at least 1');
  }
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (!isText(type_)) addProblem(out, `${at}.type`, 'must be a string that is not blank');
  }
  const recordedAt_ = v.recordedAt;
  if (recordedAt_ === undefined) addProblem(out, `${at}.recordedAt`, 'is required');
  else {
    if (typeof recordedAt_ !== 'string' || !FORMATS.timestamp.test(recordedAt_)) addProblem(out, `${at}.recordedAt`, FORMATS.timestamp.message);
  }
  const data_ = v.data;
  if (data_ === undefined) addProblem(out, `${at}.data`, 'is required');
  else {
    if (!isObject(data_)) addProblem(out, `${at}.data`, 'must be an object');
  }
  const prev_ = v.prev;
  if (prev_ === undefined) addProblem(out, `${at}.prev`, 'is required');
  else {
    if (typeof prev_ !== 'string') addProblem(out, `${at}.prev`, 'must be a string');
  }
  const hash_ = v.hash;
  if (hash_ === undefined) addProblem(out, `${at}.hash`, 'is required');
  else {
    if (typeof hash_ !== 'string' || !FORMATS.sha256.test(hash_)) addProblem(out, `${at}.hash`, FORMATS.sha256.message);
  }
}

export function checkEntryRunCreated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const revision_ = v.revision;
  if (revision_ === undefined) addProblem(out, `${at}.revision`, 'is required');
  else {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) addProblem(out, `${at}.revision`, FORMATS.sha256.message);
  }
  const process_ = v.process;
  if (process_ === undefined) addProblem(out, `${at}.process`, 'is required');
  else {
    checkProcessRef(process_, `${at}.process`, out);
  }
  const inputs_ = v.inputs;
  if (inputs_ === undefined) addProblem(out, `${at}.inputs`, 'is required');
  const session_ = v.session;
  if (session_ === undefined) addProblem(out, `${at}.session`, 'is required');
  else {
    checkSessionState(session_, `${at}.session`, out);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const retryOf_ = v.retryOf;
  if (retryOf_ !== undefined) {
    if (typeof retryOf_ !== 'string' || !FORMATS.token.test(retryOf_)) addProblem(out, `${at}.retryOf`, FORMATS.token.message);
  }
  const forkedFrom_ = v.forkedFrom;
  if (forkedFrom_ !== undefined) {
    if (!isObject(forkedFrom_)) addProblem(out, `${at}.forkedFrom`, 'must be an object');
  }
  const metadata_ = v.metadata;
  if (metadata_ !== undefined) {
    if (!isObject(metadata_)) addProblem(out, `${at}.metadata`, 'must be an object');
  }
  const parent_ = v.parent;
  if (parent_ !== undefined) {
    checkParentRef(parent_, `${at}.parent`, out);
  }
  const traceparent_ = v.traceparent;
  if (traceparent_ !== undefined) {
    if (typeof traceparent_ !== 'string') addProblem(out, `${at}.traceparent`, 'must be a string');
  }
  const assignBy_ = v.assignBy;
  if (assignBy_ !== undefined) {
    if (typeof assignBy_ !== 'string' || !FORMATS.timestamp.test(assignBy_)) addProblem(out, `${at}.assignBy`, FORMATS.timestamp.message);
  }
  const inputsRef_ = v.inputsRef;
  if (inputsRef_ !== undefined) {
    checkBlobRef(inputsRef_, `${at}.inputsRef`, out);
  }
  const tracestate_ = v.tracestate;
  if (tracestate_ !== undefined) {
    if (typeof tracestate_ !== 'string') addProblem(out, `${at}.tracestate`, 'must be a string');
  }
  const userId_ = v.userId;
  if (userId_ !== undefined) {
    if (typeof userId_ !== 'string' || !FORMATS.token.test(userId_)) addProblem(out, `${at}.userId`, FORMATS.token.message);
  }
}

export function checkEntryProcessAssigned(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const process_ = v.process;
  if (process_ === undefined) addProblem(out, `${at}.process`, 'is required');
  else {
    checkProcessRef(process_, `${at}.process`, out);
  }
  const previous_ = v.previous;
  if (previous_ !== undefined) {
    checkProcessRef(previous_, `${at}.previous`, out);
  }
  const force_ = v.force;
  if (force_ !== undefined) {
    if (typeof force_ !== 'boolean') addProblem(out, `${at}.force`, 'must be true or false');
  }
  const metadata_ = v.metadata;
  if (metadata_ !== undefined) {
    if (!isObject(metadata_)) addProblem(out, `${at}.metadata`, 'must be an object');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (typeof idempotencyKey_ !== 'string') addProblem(out, `${at}.idempotencyKey`, 'must be a string');
  }
  const inputsRef_ = v.inputsRef;
  if (inputsRef_ !== undefined) {
    checkBlobRef(inputsRef_, `${at}.inputsRef`, out);
  }
}

export function checkEntryProcessCodeChanged(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const from_ = v.from;
  if (from_ === undefined) addProblem(out, `${at}.from`, 'is required');
  else {
    if (!isText(from_)) addProblem(out, `${at}.from`, 'must be a string that is not blank');
  }
  const to_ = v.to;
  if (to_ === undefined) addProblem(out, `${at}.to`, 'is required');
  else {
    if (!isText(to_)) addProblem(out, `${at}.to`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const revision_ = v.revision;
  if (revision_ !== undefined) {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) addProblem(out, `${at}.revision`, FORMATS.sha256.message);
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (typeof idempotencyKey_ !== 'string') addProblem(out, `${at}.idempotencyKey`, 'must be a string');
  }
}

export function checkEntryProcessLog(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
  const message_ = v.message;
  if (message_ === undefined) addProblem(out, `${at}.message`, 'is required');
}

export function checkEntryEffectProgress(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const percent_ = v.percent;
  if (percent_ !== undefined) {
    if (!Number.isFinite(percent_) || (percent_ as number) < 0 || (percent_ as number) > 100) addProblem(out, `${at}.percent`, 'must be a number, at least 0, at most 100');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
}

export function checkEntryCostTracked(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const usage_ = v.usage;
  if (usage_ === undefined) addProblem(out, `${at}.usage`, 'is required');
  else {
    checkUsage(usage_, `${at}.usage`, out);
  }
}

export function checkEntryEffectRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) addProblem(out, `${at}.kind`, 'must be a string that is not blank');
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const key_ = v.key;
  if (key_ === undefined) addProblem(out, `${at}.key`, 'is required');
  else {
    if (!isText(key_)) addProblem(out, `${at}.key`, 'must be a string that is not blank');
  }
  const argsHash_ = v.argsHash;
  if (argsHash_ === undefined) addProblem(out, `${at}.argsHash`, 'is required');
  else {
    if (typeof argsHash_ !== 'string' || !FORMATS.sha256.test(argsHash_)) addProblem(out, `${at}.argsHash`, FORMATS.sha256.message);
  }
  const request_ = v.request;
  if (request_ === undefined) addProblem(out, `${at}.request`, 'is required');
  else {
    if (!isObject(request_)) addProblem(out, `${at}.request`, 'must be an object');
  }
  const limits_ = v.limits;
  if (limits_ === undefined) addProblem(out, `${at}.limits`, 'is required');
  else {
    checkLimits(limits_, `${at}.limits`, out);
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
  const requestRef_ = v.requestRef;
  if (requestRef_ !== undefined) {
    checkBlobRef(requestRef_, `${at}.requestRef`, out);
  }
}

export function checkEntryEffectClaimed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ !== undefined) {
    if (typeof hostId_ !== 'string') addProblem(out, `${at}.hostId`, 'must be a string');
  }
}

export function checkEntryEffectStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ !== undefined) {
    if (typeof hostId_ !== 'string') addProblem(out, `${at}.hostId`, 'must be a string');
  }
  const value_ = v.value;
  if (value_ !== undefined) {
    if (!isObject(value_)) addProblem(out, `${at}.value`, 'must be an object');
  }
}

export function checkEntryEffectWaiting(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (reason_ !== 'user' && reason_ !== 'approval' && reason_ !== 'budget') addProblem(out, `${at}.reason`, 'must be one of user, approval, budget');
  }
  const question_ = v.question;
  if (question_ === undefined) addProblem(out, `${at}.question`, 'is required');
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ !== undefined) {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) addProblem(out, `${at}.expiresAt`, FORMATS.timestamp.message);
  }
  const subject_ = v.subject;
  if (subject_ !== undefined) {
    if (typeof subject_ !== 'string') addProblem(out, `${at}.subject`, 'must be a string');
  }
  const suspended_ = v.suspended;
  if (suspended_ !== undefined) {
    checkSuspension(suspended_, `${at}.suspended`, out);
  }
  const questionNumber_ = v.questionNumber;
  if (questionNumber_ !== undefined) {
    if (!Number.isSafeInteger(questionNumber_) || (questionNumber_ as number) < 1) addProblem(out, `${at}.questionNumber`, 'must be an integer, at least 1');
  }
  const usage_ = v.usage;
  if (usage_ !== undefined) {
    checkUsage(usage_, `${at}.usage`, out);
  }
}

export function checkEntryEffectAnswered(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const answer_ = v.answer;
  if (answer_ === undefined) addProblem(out, `${at}.answer`, 'is required');
  const resumption_ = v.resumption;
  if (resumption_ !== undefined) {
    if (!Number.isSafeInteger(resumption_) || (resumption_ as number) < 1) addProblem(out, `${at}.resumption`, 'must be an integer, at least 1');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (typeof idempotencyKey_ !== 'string') addProblem(out, `${at}.idempotencyKey`, 'must be a string');
  }
  const answeredBy_ = v.answeredBy;
  if (answeredBy_ !== undefined) {
    if (typeof answeredBy_ !== 'string') addProblem(out, `${at}.answeredBy`, 'must be a string');
  }
}

export function checkEntryEffectAttemptFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const outcome_ = v.outcome;
  if (outcome_ === undefined) addProblem(out, `${at}.outcome`, 'is required');
  else {
    if (outcome_ !== 'failed' && outcome_ !== 'unknown') addProblem(out, `${at}.outcome`, 'must be one of failed, unknown');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const retryable_ = v.retryable;
  if (retryable_ === undefined) addProblem(out, `${at}.retryable`, 'is required');
  else {
    if (typeof retryable_ !== 'boolean') addProblem(out, `${at}.retryable`, 'must be true or false');
  }
  const usage_ = v.usage;
  if (usage_ !== undefined) {
    checkUsage(usage_, `${at}.usage`, out);
  }
  const nextAttempt_ = v.nextAttempt;
  if (nextAttempt_ !== undefined) {
    if (!Number.isSafeInteger(nextAttempt_) || (nextAttempt_ as number) < 2) addProblem(out, `${at}.nextAttempt`, 'must be an integer, at least 2');
  }
  const nextRequest_ = v.nextRequest;
  if (nextRequest_ !== undefined) {
    if (!isObject(nextRequest_)) addProblem(out, `${at}.nextRequest`, 'must be an object');
  }
  const nextDirective_ = v.nextDirective;
  if (nextDirective_ !== undefined) {
    if (nextDirective_ !== 'retry' && nextDirective_ !== 'unstuck') addProblem(out, `${at}.nextDirective`, 'must be one of retry, unstuck');
  }
}

export function checkEntryEffectResolved(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const status_ = v.status;
  if (status_ === undefined) addProblem(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'ok' && status_ !== 'error') addProblem(out, `${at}.status`, 'must be one of ok, error');
  }
  const valueRef_ = v.valueRef;
  if (valueRef_ !== undefined) {
    checkBlobRef(valueRef_, `${at}.valueRef`, out);
  }
  const error_ = v.error;
  if (error_ !== undefined) {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const retryable_ = v.retryable;
  if (retryable_ !== undefined) {
    if (typeof retryable_ !== 'boolean') addProblem(out, `${at}.retryable`, 'must be true or false');
  }
  const answeredBy_ = v.answeredBy;
  if (answeredBy_ !== undefined) {
    if (typeof answeredBy_ !== 'string') addProblem(out, `${at}.answeredBy`, 'must be a string');
  }
}

export function checkEntryEffectCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const confirmed_ = v.confirmed;
  if (confirmed_ === undefined) addProblem(out, `${at}.confirmed`, 'is required');
  else {
    if (typeof confirmed_ !== 'boolean') addProblem(out, `${at}.confirmed`, 'must be true or false');
  }
}

export function checkEntrySignalReceived(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const name_ = v.name;
  if (name_ === undefined) addProblem(out, `${at}.name`, 'is required');
  else {
    if (!isText(name_)) addProblem(out, `${at}.name`, 'must be a string that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (typeof idempotencyKey_ !== 'string') addProblem(out, `${at}.idempotencyKey`, 'must be a string');
  }
}

export function checkEntryEffectInvalidated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
}

export function checkEntryApprovalResolved(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) addProblem(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) addProblem(out, `${at}.approvalId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const decision_ = v.decision;
  if (decision_ === undefined) addProblem(out, `${at}.decision`, 'is required');
  else {
    if (decision_ !== 'approved' && decision_ !== 'denied' && decision_ !== 'expired') addProblem(out, `${at}.decision`, 'must be one of approved, denied, expired');
  }
  const decidedBy_ = v.decidedBy;
  if (decidedBy_ === undefined) addProblem(out, `${at}.decidedBy`, 'is required');
  else {
    if (typeof decidedBy_ !== 'string') addProblem(out, `${at}.decidedBy`, 'must be a string');
  }
  const comment_ = v.comment;
  if (comment_ !== undefined) {
    if (typeof comment_ !== 'string') addProblem(out, `${at}.comment`, 'must be a string');
  }
}

export function checkEntryBudgetExceeded(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const budget_ = v.budget;
  if (budget_ === undefined) addProblem(out, `${at}.budget`, 'is required');
  else {
    if (!isText(budget_)) addProblem(out, `${at}.budget`, 'must be a string that is not blank');
  }
  const limit_ = v.limit;
  if (limit_ === undefined) addProblem(out, `${at}.limit`, 'is required');
  else {
    if (!Number.isFinite(limit_)) addProblem(out, `${at}.limit`, 'must be a number');
  }
  const used_ = v.used;
  if (used_ === undefined) addProblem(out, `${at}.used`, 'is required');
  else {
    if (!Number.isFinite(used_)) addProblem(out, `${at}.used`, 'must be a number');
  }
  const action_ = v.action;
  if (action_ === undefined) addProblem(out, `${at}.action`, 'is required');
  else {
    if (action_ !== 'pause' && action_ !== 'fail') addProblem(out, `${at}.action`, 'must be one of pause, fail');
  }
}

export function checkEntryProcessRuntimeError(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ === undefined) addProblem(out, `${at}.expiresAt`, 'is required');
  else {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) addProblem(out, `${at}.expiresAt`, FORMATS.timestamp.message);
  }
}

export function checkEntryRunPaused(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
  const error_ = v.error;
  if (error_ !== undefined) {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkEntryRunResumed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
}

export function checkEntryRunCancelRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) addProblem(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) addProblem(out, `${at}.idempotencyKey`, 'must be a string that is not blank');
  }
}

export function checkEntryRunCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const output_ = v.output;
  if (output_ === undefined) addProblem(out, `${at}.output`, 'is required');
  const outputRef_ = v.outputRef;
  if (outputRef_ !== undefined) {
    checkBlobRef(outputRef_, `${at}.outputRef`, out);
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'told') addProblem(out, `${at}.sealed`, 'must be one of told');
  }
}

export function checkEntryRunFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'failed' && sealed_ !== 'told') addProblem(out, `${at}.sealed`, 'must be one of failed, told');
  }
}

export function checkEntryRunCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'told') addProblem(out, `${at}.sealed`, 'must be one of told');
  }
}

export function checkEntryRunHalted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'told') addProblem(out, `${at}.sealed`, 'must be one of told');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') addProblem(out, `${at}.requestedBy`, 'must be a string');
  }
}

export function checkEntryRunArchived(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const archiveRef_ = v.archiveRef;
  if (archiveRef_ === undefined) addProblem(out, `${at}.archiveRef`, 'is required');
  else {
    checkBlobRef(archiveRef_, `${at}.archiveRef`, out);
  }
  const headHash_ = v.headHash;
  if (headHash_ === undefined) addProblem(out, `${at}.headHash`, 'is required');
  else {
    if (typeof headHash_ !== 'string' || !FORMATS.sha256.test(headHash_)) addProblem(out, `${at}.headHash`, FORMATS.sha256.message);
  }
  const terminalType_ = v.terminalType;
  if (terminalType_ === undefined) addProblem(out, `${at}.terminalType`, 'is required');
  else {
    if (!isText(terminalType_)) addProblem(out, `${at}.terminalType`, 'must be a string that is not blank');
  }
}

export function checkMemoryRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (kind_ !== 'fact' && kind_ !== 'preference' && kind_ !== 'procedure' && kind_ !== 'episode' && kind_ !== 'profile' && kind_ !== 'session') addProblem(out, `${at}.kind`, 'must be one of fact, preference, procedure, episode, profile, session');
  }
  const text_ = v.text;
  if (text_ === undefined) addProblem(out, `${at}.text`, 'is required');
  else {
    if (!isText(text_)) addProblem(out, `${at}.text`, 'must be a string that is not blank');
  }
  const source_ = v.source;
  if (source_ === undefined) addProblem(out, `${at}.source`, 'is required');
  else {
    checkMemorySource(source_, `${at}.source`, out);
  }
  const subject_ = v.subject;
  if (subject_ !== undefined) {
    if (!isText(subject_)) addProblem(out, `${at}.subject`, 'must be a string that is not blank');
  }
  const confidence_ = v.confidence;
  if (confidence_ === undefined) addProblem(out, `${at}.confidence`, 'is required');
  else {
    if (!Number.isFinite(confidence_) || (confidence_ as number) < 0 || (confidence_ as number) > 1) addProblem(out, `${at}.confidence`, 'must be a number, at least 0, at most 1');
  }
  const createdAt_ = v.createdAt;
  if (createdAt_ === undefined) addProblem(out, `${at}.createdAt`, 'is required');
  else {
    if (typeof createdAt_ !== 'string' || !FORMATS.timestamp.test(createdAt_)) addProblem(out, `${at}.createdAt`, FORMATS.timestamp.message);
  }
  const validFrom_ = v.validFrom;
  if (validFrom_ !== undefined) {
    if (typeof validFrom_ !== 'string' || !FORMATS.timestamp.test(validFrom_)) addProblem(out, `${at}.validFrom`, FORMATS.timestamp.message);
  }
  const validUntil_ = v.validUntil;
  if (validUntil_ !== undefined) {
    if (typeof validUntil_ !== 'string' || !FORMATS.timestamp.test(validUntil_)) addProblem(out, `${at}.validUntil`, FORMATS.timestamp.message);
  }
  const supersedes_ = v.supersedes;
  if (supersedes_ !== undefined) {
    if (typeof supersedes_ !== 'string' || !FORMATS.token.test(supersedes_)) addProblem(out, `${at}.supersedes`, FORMATS.token.message);
  }
  const sensitivity_ = v.sensitivity;
  if (sensitivity_ === undefined) addProblem(out, `${at}.sensitivity`, 'is required');
  else {
    if (sensitivity_ !== 'public' && sensitivity_ !== 'internal' && sensitivity_ !== 'personal') addProblem(out, `${at}.sensitivity`, 'must be one of public, internal, personal');
  }
}

export function checkMemorySource(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ !== undefined) {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const tool_ = v.tool;
  if (tool_ !== undefined) {
    if (!isText(tool_)) addProblem(out, `${at}.tool`, 'must be a string that is not blank');
  }
  const person_ = v.person;
  if (person_ !== undefined) {
    if (!isText(person_)) addProblem(out, `${at}.person`, 'must be a string that is not blank');
  }
}

export function checkMemoryStub(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) addProblem(out, `${at}.kind`, 'must be a string that is not blank');
  }
  const createdAt_ = v.createdAt;
  if (createdAt_ === undefined) addProblem(out, `${at}.createdAt`, 'is required');
  else {
    if (typeof createdAt_ !== 'string' || !FORMATS.timestamp.test(createdAt_)) addProblem(out, `${at}.createdAt`, FORMATS.timestamp.message);
  }
}

export function checkMemoryRecordWritten(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'memory.record.written') addProblem(out, `${at}.type`, 'must be one of memory.record.written');
  }
  const record_ = v.record;
  if (record_ === undefined) addProblem(out, `${at}.record`, 'is required');
  else {
    checkMemoryRecord(record_, `${at}.record`, out);
  }
}

export function checkMemoryRecordsForgotten(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'memory.records.forgotten') addProblem(out, `${at}.type`, 'must be one of memory.records.forgotten');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const records_ = v.records;
  if (records_ === undefined) addProblem(out, `${at}.records`, 'is required');
  else {
    if (!Array.isArray(records_)) addProblem(out, `${at}.records`, 'must be a list');
    else for (const [i, item] of records_.entries()) {
      checkMemoryStub(item, `${at}.records[${i}]`, out);
    }
  }
  const forgottenAt_ = v.forgottenAt;
  if (forgottenAt_ === undefined) addProblem(out, `${at}.forgottenAt`, 'is required');
  else {
    if (typeof forgottenAt_ !== 'string' || !FORMATS.timestamp.test(forgottenAt_)) addProblem(out, `${at}.forgottenAt`, FORMATS.timestamp.message);
  }
  const source_ = v.source;
  if (source_ === undefined) addProblem(out, `${at}.source`, 'is required');
  else {
    checkMemorySource(source_, `${at}.source`, out);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
}

export function checkMemoryRecordRated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'memory.record.rated') addProblem(out, `${at}.type`, 'must be one of memory.record.rated');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const recordId_ = v.recordId;
  if (recordId_ === undefined) addProblem(out, `${at}.recordId`, 'is required');
  else {
    if (typeof recordId_ !== 'string' || !FORMATS.token.test(recordId_)) addProblem(out, `${at}.recordId`, FORMATS.token.message);
  }
  const useful_ = v.useful;
  if (useful_ === undefined) addProblem(out, `${at}.useful`, 'is required');
  else {
    if (typeof useful_ !== 'boolean') addProblem(out, `${at}.useful`, 'must be true or false');
  }
  const ratedAt_ = v.ratedAt;
  if (ratedAt_ === undefined) addProblem(out, `${at}.ratedAt`, 'is required');
  else {
    if (typeof ratedAt_ !== 'string' || !FORMATS.timestamp.test(ratedAt_)) addProblem(out, `${at}.ratedAt`, FORMATS.timestamp.message);
  }
  const source_ = v.source;
  if (source_ === undefined) addProblem(out, `${at}.source`, 'is required');
  else {
    checkMemorySource(source_, `${at}.source`, out);
  }
}

export function checkMemoryAddCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) addProblem(out, `${at}.kind`, 'must be a string that is not blank');
  }
  const text_ = v.text;
  if (text_ === undefined) addProblem(out, `${at}.text`, 'is required');
  else {
    if (!isText(text_)) addProblem(out, `${at}.text`, 'must be a string that is not blank');
  }
  const source_ = v.source;
  if (source_ === undefined) addProblem(out, `${at}.source`, 'is required');
  else {
    checkMemorySource(source_, `${at}.source`, out);
  }
  const subject_ = v.subject;
  if (subject_ !== undefined) {
    if (!isText(subject_)) addProblem(out, `${at}.subject`, 'must be a string that is not blank');
  }
  const confidence_ = v.confidence;
  if (confidence_ !== undefined) {
    if (!Number.isFinite(confidence_) || (confidence_ as number) < 0 || (confidence_ as number) > 1) addProblem(out, `${at}.confidence`, 'must be a number, at least 0, at most 1');
  }
  const validFrom_ = v.validFrom;
  if (validFrom_ !== undefined) {
    if (typeof validFrom_ !== 'string' || !FORMATS.timestamp.test(validFrom_)) addProblem(out, `${at}.validFrom`, FORMATS.timestamp.message);
  }
  const validUntil_ = v.validUntil;
  if (validUntil_ !== undefined) {
    if (typeof validUntil_ !== 'string' || !FORMATS.timestamp.test(validUntil_)) addProblem(out, `${at}.validUntil`, FORMATS.timestamp.message);
  }
  const supersedes_ = v.supersedes;
  if (supersedes_ !== undefined) {
    if (typeof supersedes_ !== 'string' || !FORMATS.token.test(supersedes_)) addProblem(out, `${at}.supersedes`, FORMATS.token.message);
  }
  const sensitivity_ = v.sensitivity;
  if (sensitivity_ !== undefined) {
    if (sensitivity_ !== 'public' && sensitivity_ !== 'internal' && sensitivity_ !== 'personal') addProblem(out, `${at}.sensitivity`, 'must be one of public, internal, personal');
  }
}

export function checkMemoryEditCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
  const text_ = v.text;
  if (text_ === undefined) addProblem(out, `${at}.text`, 'is required');
  else {
    if (!isText(text_)) addProblem(out, `${at}.text`, 'must be a string that is not blank');
  }
  const source_ = v.source;
  if (source_ === undefined) addProblem(out, `${at}.source`, 'is required');
  else {
    checkMemorySource(source_, `${at}.source`, out);
  }
}

export function checkMemoryRateCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
  const useful_ = v.useful;
  if (useful_ === undefined) addProblem(out, `${at}.useful`, 'is required');
  else {
    if (typeof useful_ !== 'boolean') addProblem(out, `${at}.useful`, 'must be true or false');
  }
  const source_ = v.source;
  if (source_ === undefined) addProblem(out, `${at}.source`, 'is required');
  else {
    checkMemorySource(source_, `${at}.source`, out);
  }
}

export function checkMemoryForgetCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
  const source_ = v.source;
  if (source_ === undefined) addProblem(out, `${at}.source`, 'is required');
  else {
    checkMemorySource(source_, `${at}.source`, out);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
}

export function checkMemoryIdCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
}

export function checkMemoryListCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const namespace_ = v.namespace;
  if (namespace_ !== undefined) {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const kind_ = v.kind;
  if (kind_ !== undefined) {
    if (!isText(kind_)) addProblem(out, `${at}.kind`, 'must be a string that is not blank');
  }
  const status_ = v.status;
  if (status_ !== undefined) {
    if (status_ !== 'active' && status_ !== 'superseded' && status_ !== 'forgotten' && status_ !== 'any') addProblem(out, `${at}.status`, 'must be one of active, superseded, forgotten, any');
  }
  const query_ = v.query;
  if (query_ !== undefined) {
    if (!isText(query_)) addProblem(out, `${at}.query`, 'must be a string that is not blank');
  }
  const limit_ = v.limit;
  if (limit_ !== undefined) {
    if (!Number.isSafeInteger(limit_) || (limit_ as number) < 1 || (limit_ as number) > 100) addProblem(out, `${at}.limit`, 'must be an integer, at least 1, at most 100');
  }
  const before_ = v.before;
  if (before_ !== undefined) {
    if (typeof before_ !== 'string' || !FORMATS.token.test(before_)) addProblem(out, `${at}.before`, FORMATS.token.message);
  }
}

export function checkMemoryEntry(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string') addProblem(out, `${at}.id`, 'must be a string');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (typeof namespace_ !== 'string') addProblem(out, `${at}.namespace`, 'must be a string');
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (typeof kind_ !== 'string') addProblem(out, `${at}.kind`, 'must be a string');
  }
  const status_ = v.status;
  if (status_ === undefined) addProblem(out, `${at}.status`, 'is required');
  else {
    if (typeof status_ !== 'string') addProblem(out, `${at}.status`, 'must be a string');
  }
  const text_ = v.text;
  if (text_ !== undefined) {
    if (typeof text_ !== 'string') addProblem(out, `${at}.text`, 'must be a string');
  }
  const source_ = v.source;
  if (source_ !== undefined) {
    checkMemorySource(source_, `${at}.source`, out);
  }
  const subject_ = v.subject;
  if (subject_ !== undefined) {
    if (typeof subject_ !== 'string') addProblem(out, `${at}.subject`, 'must be a string');
  }
  const confidence_ = v.confidence;
  if (confidence_ !== undefined) {
    if (!Number.isFinite(confidence_)) addProblem(out, `${at}.confidence`, 'must be a number');
  }
  const createdAt_ = v.createdAt;
  if (createdAt_ === undefined) addProblem(out, `${at}.createdAt`, 'is required');
  else {
    if (typeof createdAt_ !== 'string') addProblem(out, `${at}.createdAt`, 'must be a string');
  }
  const validFrom_ = v.validFrom;
  if (validFrom_ !== undefined) {
    if (typeof validFrom_ !== 'string') addProblem(out, `${at}.validFrom`, 'must be a string');
  }
  const validUntil_ = v.validUntil;
  if (validUntil_ !== undefined) {
    if (typeof validUntil_ !== 'string') addProblem(out, `${at}.validUntil`, 'must be a string');
  }
  const supersedes_ = v.supersedes;
  if (supersedes_ !== undefined) {
    if (typeof supersedes_ !== 'string') addProblem(out, `${at}.supersedes`, 'must be a string');
  }
  const supersededBy_ = v.supersededBy;
  if (supersededBy_ !== undefined) {
    if (typeof supersededBy_ !== 'string') addProblem(out, `${at}.supersededBy`, 'must be a string');
  }
  const sensitivity_ = v.sensitivity;
  if (sensitivity_ !== undefined) {
    if (typeof sensitivity_ !== 'string') addProblem(out, `${at}.sensitivity`, 'must be a string');
  }
  const forgottenAt_ = v.forgottenAt;
  if (forgottenAt_ !== undefined) {
    if (typeof forgottenAt_ !== 'string') addProblem(out, `${at}.forgottenAt`, 'must be a string');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const ratings_ = v.ratings;
  if (ratings_ !== undefined) {
    checkMemoryRatings(ratings_, `${at}.ratings`, out);
  }
}

export function checkMemoryRatings(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const useful_ = v.useful;
  if (useful_ === undefined) addProblem(out, `${at}.useful`, 'is required');
  else {
    if (!Number.isSafeInteger(useful_)) addProblem(out, `${at}.useful`, 'must be an integer');
  }
  const useless_ = v.useless;
  if (useless_ === undefined) addProblem(out, `${at}.useless`, 'is required');
  else {
    if (!Number.isSafeInteger(useless_)) addProblem(out, `${at}.useless`, 'must be an integer');
  }
}

export function checkMemoryPage(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const records_ = v.records;
  if (records_ === undefined) addProblem(out, `${at}.records`, 'is required');
  else {
    if (!Array.isArray(records_)) addProblem(out, `${at}.records`, 'must be a list');
    else for (const [i, item] of records_.entries()) {
      checkMemoryEntry(item, `${at}.records[${i}]`, out);
    }
  }
  const next_ = v.next;
  if (next_ !== undefined) {
    if (typeof next_ !== 'string') addProblem(out, `${at}.next`, 'must be a string');
  }
}

export function checkMemoryDecision(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const decision_ = v.decision;
  if (decision_ === undefined) addProblem(out, `${at}.decision`, 'is required');
  else {
    if (decision_ !== 'accepted' && decision_ !== 'superseded' && decision_ !== 'duplicate') addProblem(out, `${at}.decision`, 'must be one of accepted, superseded, duplicate');
  }
  const record_ = v.record;
  if (record_ === undefined) addProblem(out, `${at}.record`, 'is required');
  else {
    checkMemoryEntry(record_, `${at}.record`, out);
  }
}

export function checkMemoryForgotten(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const recordIds_ = v.recordIds;
  if (recordIds_ === undefined) addProblem(out, `${at}.recordIds`, 'is required');
  else {
    if (!Array.isArray(recordIds_)) addProblem(out, `${at}.recordIds`, 'must be a list');
    else for (const [i, item] of recordIds_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.recordIds[${i}]`, 'must be a string');
    }
  }
}

export function checkMemoryNamespaces(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const namespaces_ = v.namespaces;
  if (namespaces_ === undefined) addProblem(out, `${at}.namespaces`, 'is required');
  else {
    if (!Array.isArray(namespaces_)) addProblem(out, `${at}.namespaces`, 'must be a list');
    else for (const [i, item] of namespaces_.entries()) {
      checkMemoryNamespace(item, `${at}.namespaces[${i}]`, out);
    }
  }
}

export function checkMemoryNamespace(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (typeof namespace_ !== 'string') addProblem(out, `${at}.namespace`, 'must be a string');
  }
  const active_ = v.active;
  if (active_ === undefined) addProblem(out, `${at}.active`, 'is required');
  else {
    if (!Number.isSafeInteger(active_)) addProblem(out, `${at}.active`, 'must be an integer');
  }
  const superseded_ = v.superseded;
  if (superseded_ === undefined) addProblem(out, `${at}.superseded`, 'is required');
  else {
    if (!Number.isSafeInteger(superseded_)) addProblem(out, `${at}.superseded`, 'must be an integer');
  }
  const forgotten_ = v.forgotten;
  if (forgotten_ === undefined) addProblem(out, `${at}.forgotten`, 'is required');
  else {
    if (!Number.isSafeInteger(forgotten_)) addProblem(out, `${at}.forgotten`, 'must be an integer');
  }
}

export function checkMemoryVerification(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const seq_ = v.seq;
  if (seq_ === undefined) addProblem(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_)) addProblem(out, `${at}.seq`, 'must be an integer');
  }
  const records_ = v.records;
  if (records_ === undefined) addProblem(out, `${at}.records`, 'is required');
  else {
    if (!Number.isSafeInteger(records_)) addProblem(out, `${at}.records`, 'must be an integer');
  }
  const differences_ = v.differences;
  if (differences_ === undefined) addProblem(out, `${at}.differences`, 'is required');
  else {
    if (!Array.isArray(differences_)) addProblem(out, `${at}.differences`, 'must be a list');
    else for (const [i, item] of differences_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.differences[${i}]`, 'must be a string');
    }
  }
}

export function checkMemoryRecallCall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const namespaces_ = v.namespaces;
  if (namespaces_ === undefined) addProblem(out, `${at}.namespaces`, 'is required');
  else {
    if (!Array.isArray(namespaces_)) addProblem(out, `${at}.namespaces`, 'must be a list');
    else for (const [i, item] of namespaces_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.namespaces[${i}]`, 'must be a string');
    }
  }
  const query_ = v.query;
  if (query_ === undefined) addProblem(out, `${at}.query`, 'is required');
  else {
    if (typeof query_ !== 'string') addProblem(out, `${at}.query`, 'must be a string');
  }
  const limit_ = v.limit;
  if (limit_ !== undefined) {
    if (!Number.isSafeInteger(limit_) || (limit_ as number) < 1 || (limit_ as number) > 50) addProblem(out, `${at}.limit`, 'must be an integer, at least 1, at most 50');
  }
}

export function checkMemoryRecall(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const recalled_ = v.recalled;
  if (recalled_ === undefined) addProblem(out, `${at}.recalled`, 'is required');
  else {
    if (!Array.isArray(recalled_)) addProblem(out, `${at}.recalled`, 'must be a list');
    else for (const [i, item] of recalled_.entries()) {
      checkMemoryRecalled(item, `${at}.recalled[${i}]`, out);
    }
  }
}

export function checkMemoryRecalled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const record_ = v.record;
  if (record_ === undefined) addProblem(out, `${at}.record`, 'is required');
  else {
    checkMemoryEntry(record_, `${at}.record`, out);
  }
  const score_ = v.score;
  if (score_ === undefined) addProblem(out, `${at}.score`, 'is required');
  else {
    if (!Number.isFinite(score_)) addProblem(out, `${at}.score`, 'must be a number');
  }
  const signals_ = v.signals;
  if (signals_ === undefined) addProblem(out, `${at}.signals`, 'is required');
  else {
    checkMemorySignals(signals_, `${at}.signals`, out);
  }
}

export function checkMemorySignals(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const text_ = v.text;
  if (text_ === undefined) addProblem(out, `${at}.text`, 'is required');
  else {
    if (!Number.isFinite(text_)) addProblem(out, `${at}.text`, 'must be a number');
  }
  const entities_ = v.entities;
  if (entities_ === undefined) addProblem(out, `${at}.entities`, 'is required');
  else {
    if (!Number.isFinite(entities_)) addProblem(out, `${at}.entities`, 'must be a number');
  }
  const recency_ = v.recency;
  if (recency_ === undefined) addProblem(out, `${at}.recency`, 'is required');
  else {
    if (!Number.isFinite(recency_)) addProblem(out, `${at}.recency`, 'must be a number');
  }
  const importance_ = v.importance;
  if (importance_ === undefined) addProblem(out, `${at}.importance`, 'is required');
  else {
    if (!Number.isFinite(importance_)) addProblem(out, `${at}.importance`, 'must be a number');
  }
  const diversity_ = v.diversity;
  if (diversity_ === undefined) addProblem(out, `${at}.diversity`, 'is required');
  else {
    if (!Number.isFinite(diversity_)) addProblem(out, `${at}.diversity`, 'must be a number');
  }
  const usage_ = v.usage;
  if (usage_ === undefined) addProblem(out, `${at}.usage`, 'is required');
  else {
    if (!Number.isFinite(usage_)) addProblem(out, `${at}.usage`, 'must be a number');
  }
}

export function checkRuntimeApprovalRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.approval.requested') addProblem(out, `${at}.type`, 'must be "runtime.approval.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) addProblem(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) addProblem(out, `${at}.approvalId`, FORMATS.token.message);
  }
  const subject_ = v.subject;
  if (subject_ === undefined) addProblem(out, `${at}.subject`, 'is required');
  else {
    checkApprovalSubject(subject_, `${at}.subject`, out);
  }
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ === undefined) addProblem(out, `${at}.expiresAt`, 'is required');
  else {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) addProblem(out, `${at}.expiresAt`, FORMATS.timestamp.message);
  }
}

export function checkRuntimeApprovalResolved(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.approval.resolved') addProblem(out, `${at}.type`, 'must be "runtime.approval.resolved"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) addProblem(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) addProblem(out, `${at}.approvalId`, FORMATS.token.message);
  }
  const decision_ = v.decision;
  if (decision_ === undefined) addProblem(out, `${at}.decision`, 'is required');
  else {
    if (decision_ !== 'approved' && decision_ !== 'denied' && decision_ !== 'expired') addProblem(out, `${at}.decision`, 'must be one of approved, denied, expired');
  }
  const decidedBy_ = v.decidedBy;
  if (decidedBy_ === undefined) addProblem(out, `${at}.decidedBy`, 'is required');
  else {
    if (typeof decidedBy_ !== 'string') addProblem(out, `${at}.decidedBy`, 'must be a string');
  }
  const comment_ = v.comment;
  if (comment_ !== undefined) {
    if (typeof comment_ !== 'string') addProblem(out, `${at}.comment`, 'must be a string');
  }
}

export function checkRuntimeUsageRecorded(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.usage.recorded') addProblem(out, `${at}.type`, 'must be "runtime.usage.recorded"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const provider_ = v.provider;
  if (provider_ === undefined) addProblem(out, `${at}.provider`, 'is required');
  else {
    if (typeof provider_ !== 'string') addProblem(out, `${at}.provider`, 'must be a string');
  }
  const model_ = v.model;
  if (model_ === undefined) addProblem(out, `${at}.model`, 'is required');
  else {
    if (typeof model_ !== 'string') addProblem(out, `${at}.model`, 'must be a string');
  }
  const inputTokens_ = v.inputTokens;
  if (inputTokens_ === undefined) addProblem(out, `${at}.inputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(inputTokens_) || (inputTokens_ as number) < 0) addProblem(out, `${at}.inputTokens`, 'must be an integer, at least 0');
  }
  const cachedInputTokens_ = v.cachedInputTokens;
  if (cachedInputTokens_ === undefined) addProblem(out, `${at}.cachedInputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(cachedInputTokens_) || (cachedInputTokens_ as number) < 0) addProblem(out, `${at}.cachedInputTokens`, 'must be an integer, at least 0');
  }
  const outputTokens_ = v.outputTokens;
  if (outputTokens_ === undefined) addProblem(out, `${at}.outputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(outputTokens_) || (outputTokens_ as number) < 0) addProblem(out, `${at}.outputTokens`, 'must be an integer, at least 0');
  }
  const costUsd_ = v.costUsd;
  if (costUsd_ !== undefined) {
    if (!Number.isFinite(costUsd_) || (costUsd_ as number) < 0) addProblem(out, `${at}.costUsd`, 'must be a number, at least 0');
  }
  const source_ = v.source;
  if (source_ !== undefined) {
    if (source_ !== 'reported' && source_ !== 'estimated') addProblem(out, `${at}.source`, 'must be one of reported, estimated');
  }
}

export function checkRuntimeBudgetExceeded(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.budget.exceeded') addProblem(out, `${at}.type`, 'must be "runtime.budget.exceeded"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const budget_ = v.budget;
  if (budget_ === undefined) addProblem(out, `${at}.budget`, 'is required');
  else {
    if (!isText(budget_)) addProblem(out, `${at}.budget`, 'must be a string that is not blank');
  }
  const limit_ = v.limit;
  if (limit_ === undefined) addProblem(out, `${at}.limit`, 'is required');
  else {
    if (!Number.isFinite(limit_)) addProblem(out, `${at}.limit`, 'must be a number');
  }
  const used_ = v.used;
  if (used_ === undefined) addProblem(out, `${at}.used`, 'is required');
  else {
    if (!Number.isFinite(used_)) addProblem(out, `${at}.used`, 'must be a number');
  }
  const action_ = v.action;
  if (action_ === undefined) addProblem(out, `${at}.action`, 'is required');
  else {
    if (action_ !== 'pause' && action_ !== 'fail') addProblem(out, `${at}.action`, 'must be one of pause, fail');
  }
}

export function checkRuntimeHarnessAvailable(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.harness.available') addProblem(out, `${at}.type`, 'must be "runtime.harness.available"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) addProblem(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) addProblem(out, `${at}.hostId`, 'must be a string that is not blank');
  }
  const version_ = v.version;
  if (version_ === undefined) addProblem(out, `${at}.version`, 'is required');
  else {
    if (typeof version_ !== 'string') addProblem(out, `${at}.version`, 'must be a string');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
}

export function checkRuntimeHarnessUnavailable(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.harness.unavailable') addProblem(out, `${at}.type`, 'must be "runtime.harness.unavailable"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) addProblem(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) addProblem(out, `${at}.hostId`, 'must be a string that is not blank');
  }
  const version_ = v.version;
  if (version_ === undefined) addProblem(out, `${at}.version`, 'is required');
  else {
    if (typeof version_ !== 'string') addProblem(out, `${at}.version`, 'must be a string');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
}

export function checkRuntimeMemoryLifecycle(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.lifecycle') addProblem(out, `${at}.type`, 'must be "runtime.memory.lifecycle"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const hook_ = v.hook;
  if (hook_ === undefined) addProblem(out, `${at}.hook`, 'is required');
  else {
    if (hook_ !== 'read-before-plan' && hook_ !== 'read-before-finalize' && hook_ !== 'write-after-run') addProblem(out, `${at}.hook`, 'must be one of read-before-plan, read-before-finalize, write-after-run');
  }
}

export function checkRuntimeMemoryRecallRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.recall.requested') addProblem(out, `${at}.type`, 'must be "runtime.memory.recall.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const query_ = v.query;
  if (query_ === undefined) addProblem(out, `${at}.query`, 'is required');
  else {
    if (typeof query_ !== 'string') addProblem(out, `${at}.query`, 'must be a string');
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const deadline_ = v.deadline;
  if (deadline_ !== undefined) {
    if (typeof deadline_ !== 'string' || !FORMATS.timestamp.test(deadline_)) addProblem(out, `${at}.deadline`, FORMATS.timestamp.message);
  }
  const userId_ = v.userId;
  if (userId_ !== undefined) {
    if (typeof userId_ !== 'string' || !FORMATS.token.test(userId_)) addProblem(out, `${at}.userId`, FORMATS.token.message);
  }
  const limit_ = v.limit;
  if (limit_ !== undefined) {
    if (!Number.isSafeInteger(limit_) || (limit_ as number) < 1 || (limit_ as number) > 50) addProblem(out, `${at}.limit`, 'must be an integer, at least 1, at most 50');
  }
  const maxTokens_ = v.maxTokens;
  if (maxTokens_ !== undefined) {
    if (!Number.isSafeInteger(maxTokens_) || (maxTokens_ as number) < 20 || (maxTokens_ as number) > 4000) addProblem(out, `${at}.maxTokens`, 'must be an integer, at least 20, at most 4000');
  }
  const hook_ = v.hook;
  if (hook_ !== undefined) {
    if (hook_ !== 'read-before-plan' && hook_ !== 'read-before-finalize') addProblem(out, `${at}.hook`, 'must be one of read-before-plan, read-before-finalize');
  }
}

export function checkRuntimeMemoryRecallCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.recall.completed') addProblem(out, `${at}.type`, 'must be "runtime.memory.recall.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const recordIds_ = v.recordIds;
  if (recordIds_ === undefined) addProblem(out, `${at}.recordIds`, 'is required');
  else {
    if (!Array.isArray(recordIds_)) addProblem(out, `${at}.recordIds`, 'must be a list');
    else for (const [i, item] of recordIds_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.recordIds[${i}]`, 'must be a string');
    }
  }
  const context_ = v.context;
  if (context_ === undefined) addProblem(out, `${at}.context`, 'is required');
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const omitted_ = v.omitted;
  if (omitted_ !== undefined) {
    if (!Number.isSafeInteger(omitted_) || (omitted_ as number) < 0) addProblem(out, `${at}.omitted`, 'must be an integer, at least 0');
  }
}

export function checkRuntimeMemoryRecallFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.recall.failed') addProblem(out, `${at}.type`, 'must be "runtime.memory.recall.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const namespace_ = v.namespace;
  if (namespace_ !== undefined) {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeMemoryCandidateSubmitted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.candidate.submitted') addProblem(out, `${at}.type`, 'must be "runtime.memory.candidate.submitted"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const candidate_ = v.candidate;
  if (candidate_ === undefined) addProblem(out, `${at}.candidate`, 'is required');
  const decision_ = v.decision;
  if (decision_ === undefined) addProblem(out, `${at}.decision`, 'is required');
}

export function checkRuntimeMemoryApprovalRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.approval.requested') addProblem(out, `${at}.type`, 'must be "runtime.memory.approval.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const approval_ = v.approval;
  if (approval_ === undefined) addProblem(out, `${at}.approval`, 'is required');
}

export function checkRuntimeMemoryPluginStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.plugin.started') addProblem(out, `${at}.type`, 'must be "runtime.memory.plugin.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const memoryId_ = v.memoryId;
  if (memoryId_ === undefined) addProblem(out, `${at}.memoryId`, 'is required');
  else {
    if (!isText(memoryId_)) addProblem(out, `${at}.memoryId`, 'must be a string that is not blank');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) addProblem(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) addProblem(out, `${at}.provider`, 'must be a string that is not blank');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
}

export function checkRuntimeMemoryPluginCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.plugin.completed') addProblem(out, `${at}.type`, 'must be "runtime.memory.plugin.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const memoryId_ = v.memoryId;
  if (memoryId_ === undefined) addProblem(out, `${at}.memoryId`, 'is required');
  else {
    if (!isText(memoryId_)) addProblem(out, `${at}.memoryId`, 'must be a string that is not blank');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) addProblem(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) addProblem(out, `${at}.provider`, 'must be a string that is not blank');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const candidateCount_ = v.candidateCount;
  if (candidateCount_ === undefined) addProblem(out, `${at}.candidateCount`, 'is required');
  else {
    if (!Number.isSafeInteger(candidateCount_) || (candidateCount_ as number) < 0) addProblem(out, `${at}.candidateCount`, 'must be an integer, at least 0');
  }
}

export function checkRuntimeMemoryPluginFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.plugin.failed') addProblem(out, `${at}.type`, 'must be "runtime.memory.plugin.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const memoryId_ = v.memoryId;
  if (memoryId_ === undefined) addProblem(out, `${at}.memoryId`, 'is required');
  else {
    if (!isText(memoryId_)) addProblem(out, `${at}.memoryId`, 'must be a string that is not blank');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) addProblem(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) addProblem(out, `${at}.provider`, 'must be a string that is not blank');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) addProblem(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) addProblem(out, `${at}.namespace`, 'must be a string that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeMemoryMaintenanceStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.maintenance.started') addProblem(out, `${at}.type`, 'must be "runtime.memory.maintenance.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const target_ = v.target;
  if (target_ === undefined) addProblem(out, `${at}.target`, 'is required');
  else {
    if (!isText(target_)) addProblem(out, `${at}.target`, 'must be a string that is not blank');
  }
}

export function checkRuntimeMemoryMaintenanceCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.maintenance.completed') addProblem(out, `${at}.type`, 'must be "runtime.memory.maintenance.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const target_ = v.target;
  if (target_ === undefined) addProblem(out, `${at}.target`, 'is required');
  else {
    if (!isText(target_)) addProblem(out, `${at}.target`, 'must be a string that is not blank');
  }
  const operationCount_ = v.operationCount;
  if (operationCount_ === undefined) addProblem(out, `${at}.operationCount`, 'is required');
  else {
    if (!Number.isSafeInteger(operationCount_) || (operationCount_ as number) < 0) addProblem(out, `${at}.operationCount`, 'must be an integer, at least 0');
  }
}

export function checkRuntimeMemoryMaintenanceFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.maintenance.failed') addProblem(out, `${at}.type`, 'must be "runtime.memory.maintenance.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const target_ = v.target;
  if (target_ === undefined) addProblem(out, `${at}.target`, 'is required');
  else {
    if (!isText(target_)) addProblem(out, `${at}.target`, 'must be a string that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimePlanRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.plan.requested') addProblem(out, `${at}.type`, 'must be "runtime.plan.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const revision_ = v.revision;
  if (revision_ === undefined) addProblem(out, `${at}.revision`, 'is required');
  else {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) addProblem(out, `${at}.revision`, FORMATS.sha256.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimePlanCompiled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.plan.compiled') addProblem(out, `${at}.type`, 'must be "runtime.plan.compiled"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const planRef_ = v.planRef;
  if (planRef_ === undefined) addProblem(out, `${at}.planRef`, 'is required');
  else {
    checkBlobRef(planRef_, `${at}.planRef`, out);
  }
  const configChecksum_ = v.configChecksum;
  if (configChecksum_ === undefined) addProblem(out, `${at}.configChecksum`, 'is required');
  else {
    if (!isText(configChecksum_)) addProblem(out, `${at}.configChecksum`, 'must be a string that is not blank');
  }
  const inputsChecksum_ = v.inputsChecksum;
  if (inputsChecksum_ === undefined) addProblem(out, `${at}.inputsChecksum`, 'is required');
  else {
    if (typeof inputsChecksum_ !== 'string' || !FORMATS.sha256.test(inputsChecksum_)) addProblem(out, `${at}.inputsChecksum`, FORMATS.sha256.message);
  }
  const diagnostics_ = v.diagnostics;
  if (diagnostics_ === undefined) addProblem(out, `${at}.diagnostics`, 'is required');
  else {
    if (!Array.isArray(diagnostics_)) addProblem(out, `${at}.diagnostics`, 'must be a list');
    else for (const [i, item] of diagnostics_.entries()) {
      checkDiagnostic(item, `${at}.diagnostics[${i}]`, out);
    }
  }
  const pipeline_ = v.pipeline;
  if (pipeline_ !== undefined) {
    if (!isObject(pipeline_)) addProblem(out, `${at}.pipeline`, 'must be an object');
  }
  const runtimeProfile_ = v.runtimeProfile;
  if (runtimeProfile_ !== undefined) {
    if (!isObject(runtimeProfile_)) addProblem(out, `${at}.runtimeProfile`, 'must be an object');
  }
  const budget_ = v.budget;
  if (budget_ !== undefined) {
    if (!isObject(budget_)) addProblem(out, `${at}.budget`, 'must be an object');
  }
  const memory_ = v.memory;
  if (memory_ !== undefined) {
    if (!Array.isArray(memory_)) addProblem(out, `${at}.memory`, 'must be a list');
    else for (const [i, item] of memory_.entries()) {
      checkMemoryUse(item, `${at}.memory[${i}]`, out);
    }
  }
}

export function checkRuntimePlanRejected(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.plan.rejected') addProblem(out, `${at}.type`, 'must be "runtime.plan.rejected"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const diagnostics_ = v.diagnostics;
  if (diagnostics_ === undefined) addProblem(out, `${at}.diagnostics`, 'is required');
  else {
    if (!Array.isArray(diagnostics_)) addProblem(out, `${at}.diagnostics`, 'must be a list');
    else for (const [i, item] of diagnostics_.entries()) {
      checkDiagnostic(item, `${at}.diagnostics[${i}]`, out);
    }
  }
}

export function checkRuntimePrepareRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.prepare.requested') addProblem(out, `${at}.type`, 'must be "runtime.prepare.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const planRef_ = v.planRef;
  if (planRef_ === undefined) addProblem(out, `${at}.planRef`, 'is required');
  else {
    checkBlobRef(planRef_, `${at}.planRef`, out);
  }
  const iteration_ = v.iteration;
  if (iteration_ === undefined) addProblem(out, `${at}.iteration`, 'is required');
  else {
    if (!Number.isSafeInteger(iteration_) || (iteration_ as number) < 1) addProblem(out, `${at}.iteration`, 'must be an integer, at least 1');
  }
  const input_ = v.input;
  if (input_ === undefined) addProblem(out, `${at}.input`, 'is required');
  const context_ = v.context;
  if (context_ !== undefined) {
    if (!isObject(context_)) addProblem(out, `${at}.context`, 'must be an object');
  }
  const tree_ = v.tree;
  if (tree_ === undefined) addProblem(out, `${at}.tree`, 'is required');
  else {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) addProblem(out, `${at}.tree`, FORMATS.sha256.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimePrepareCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.prepare.completed') addProblem(out, `${at}.type`, 'must be "runtime.prepare.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const hostRequestRef_ = v.hostRequestRef;
  if (hostRequestRef_ === undefined) addProblem(out, `${at}.hostRequestRef`, 'is required');
  else {
    checkBlobRef(hostRequestRef_, `${at}.hostRequestRef`, out);
  }
  const snapshotRef_ = v.snapshotRef;
  if (snapshotRef_ === undefined) addProblem(out, `${at}.snapshotRef`, 'is required');
  else {
    checkBlobRef(snapshotRef_, `${at}.snapshotRef`, out);
  }
  const fingerprint_ = v.fingerprint;
  if (fingerprint_ === undefined) addProblem(out, `${at}.fingerprint`, 'is required');
  else {
    if (typeof fingerprint_ !== 'string' || !FORMATS.sha256.test(fingerprint_)) addProblem(out, `${at}.fingerprint`, FORMATS.sha256.message);
  }
  const timings_ = v.timings;
  if (timings_ === undefined) addProblem(out, `${at}.timings`, 'is required');
  else {
    if (!isObject(timings_)) addProblem(out, `${at}.timings`, 'must be an object');
    else for (const [key, item] of Object.entries(timings_)) {
      if (!Number.isFinite(item)) addProblem(out, `${at}.timings.${key}`, 'must be a number');
    }
  }
  const contexts_ = v.contexts;
  if (contexts_ !== undefined) {
    if (!Array.isArray(contexts_)) addProblem(out, `${at}.contexts`, 'must be a list');
    else for (const [i, item] of contexts_.entries()) {
      checkContextOutcome(item, `${at}.contexts[${i}]`, out);
    }
  }
  const warnings_ = v.warnings;
  if (warnings_ !== undefined) {
    if (!Array.isArray(warnings_)) addProblem(out, `${at}.warnings`, 'must be a list');
    else for (const [i, item] of warnings_.entries()) {
      checkDiagnostic(item, `${at}.warnings[${i}]`, out);
    }
  }
  const modelSource_ = v.modelSource;
  if (modelSource_ !== undefined) {
    if (modelSource_ !== 'request' && modelSource_ !== 'installation' && modelSource_ !== 'agent' && modelSource_ !== 'default') addProblem(out, `${at}.modelSource`, 'must be one of request, installation, agent, default');
  }
  const tree_ = v.tree;
  if (tree_ !== undefined) {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) addProblem(out, `${at}.tree`, FORMATS.sha256.message);
  }
}

export function checkRuntimePrepareFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.prepare.failed') addProblem(out, `${at}.type`, 'must be "runtime.prepare.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const problems_ = v.problems;
  if (problems_ !== undefined) {
    if (!Array.isArray(problems_)) addProblem(out, `${at}.problems`, 'must be a list');
    else for (const [i, item] of problems_.entries()) {
      checkErrorInfo(item, `${at}.problems[${i}]`, out);
    }
  }
}

export function checkRuntimeRequestStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.started') addProblem(out, `${at}.type`, 'must be "runtime.request.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const parent_ = v.parent;
  if (parent_ !== undefined) {
    checkParentRef(parent_, `${at}.parent`, out);
  }
  const inputLine_ = v.inputLine;
  if (inputLine_ !== undefined) {
    if (typeof inputLine_ !== 'string') addProblem(out, `${at}.inputLine`, 'must be a string');
  }
  const retryOf_ = v.retryOf;
  if (retryOf_ !== undefined) {
    if (typeof retryOf_ !== 'string' || !FORMATS.token.test(retryOf_)) addProblem(out, `${at}.retryOf`, FORMATS.token.message);
  }
  const forkedFrom_ = v.forkedFrom;
  if (forkedFrom_ !== undefined) {
    if (typeof forkedFrom_ !== 'string' || !FORMATS.token.test(forkedFrom_)) addProblem(out, `${at}.forkedFrom`, FORMATS.token.message);
  }
}

export function checkRuntimeRequestCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.completed') addProblem(out, `${at}.type`, 'must be "runtime.request.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const output_ = v.output;
  if (output_ === undefined) addProblem(out, `${at}.output`, 'is required');
  const halted_ = v.halted;
  if (halted_ !== undefined) {
    if (typeof halted_ !== 'boolean') addProblem(out, `${at}.halted`, 'must be true or false');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const haltedBy_ = v.haltedBy;
  if (haltedBy_ !== undefined) {
    if (typeof haltedBy_ !== 'string') addProblem(out, `${at}.haltedBy`, 'must be a string');
  }
}

export function checkRuntimeRequestFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.failed') addProblem(out, `${at}.type`, 'must be "runtime.request.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeRequestCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.cancelled') addProblem(out, `${at}.type`, 'must be "runtime.request.cancelled"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const cancelledBy_ = v.cancelledBy;
  if (cancelledBy_ !== undefined) {
    if (typeof cancelledBy_ !== 'string') addProblem(out, `${at}.cancelledBy`, 'must be a string');
  }
}

export function checkRuntimeRequestWaiting(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.waiting') addProblem(out, `${at}.type`, 'must be "runtime.request.waiting"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (reason_ !== 'user' && reason_ !== 'approval' && reason_ !== 'breakpoint' && reason_ !== 'timer' && reason_ !== 'budget' && reason_ !== 'signal' && reason_ !== 'child' && reason_ !== 'operator' && reason_ !== 'process') addProblem(out, `${at}.reason`, 'must be one of user, approval, breakpoint, timer, budget, signal, child, operator, process');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ !== undefined) {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) addProblem(out, `${at}.expiresAt`, FORMATS.timestamp.message);
  }
  const message_ = v.message;
  if (message_ !== undefined) {
    if (typeof message_ !== 'string') addProblem(out, `${at}.message`, 'must be a string');
  }
  const signal_ = v.signal;
  if (signal_ !== undefined) {
    if (typeof signal_ !== 'string') addProblem(out, `${at}.signal`, 'must be a string');
  }
  const error_ = v.error;
  if (error_ !== undefined) {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const questionNumber_ = v.questionNumber;
  if (questionNumber_ !== undefined) {
    if (!Number.isSafeInteger(questionNumber_) || (questionNumber_ as number) < 1) addProblem(out, `${at}.questionNumber`, 'must be an integer, at least 1');
  }
  const process_ = v.process;
  if (process_ !== undefined) {
    if (typeof process_ !== 'string') addProblem(out, `${at}.process`, 'must be a string');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
}

export function checkRuntimeRequestResumed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.resumed') addProblem(out, `${at}.type`, 'must be "runtime.request.resumed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
}

export function checkRuntimeSignalKept(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.signal.kept') addProblem(out, `${at}.type`, 'must be "runtime.signal.kept"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const signal_ = v.signal;
  if (signal_ === undefined) addProblem(out, `${at}.signal`, 'is required');
  else {
    if (!isText(signal_)) addProblem(out, `${at}.signal`, 'must be a string that is not blank');
  }
}

export function checkRuntimeExecutionContractFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.execution.contract.failed') addProblem(out, `${at}.type`, 'must be "runtime.execution.contract.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const missingEvidenceTools_ = v.missingEvidenceTools;
  if (missingEvidenceTools_ !== undefined) {
    if (!Array.isArray(missingEvidenceTools_)) addProblem(out, `${at}.missingEvidenceTools`, 'must be a list');
    else for (const [i, item] of missingEvidenceTools_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.missingEvidenceTools[${i}]`, 'must be a string');
    }
  }
}

export function checkRuntimeStageRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.requested') addProblem(out, `${at}.type`, 'must be "runtime.stage.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostRequestRef_ = v.hostRequestRef;
  if (hostRequestRef_ === undefined) addProblem(out, `${at}.hostRequestRef`, 'is required');
  else {
    checkBlobRef(hostRequestRef_, `${at}.hostRequestRef`, out);
  }
  const deadline_ = v.deadline;
  if (deadline_ === undefined) addProblem(out, `${at}.deadline`, 'is required');
  else {
    if (typeof deadline_ !== 'string' || !FORMATS.timestamp.test(deadline_)) addProblem(out, `${at}.deadline`, FORMATS.timestamp.message);
  }
  const limits_ = v.limits;
  if (limits_ === undefined) addProblem(out, `${at}.limits`, 'is required');
  else {
    checkLimits(limits_, `${at}.limits`, out);
  }
  const tree_ = v.tree;
  if (tree_ === undefined) addProblem(out, `${at}.tree`, 'is required');
  else {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) addProblem(out, `${at}.tree`, FORMATS.sha256.message);
  }
  const harnessSessionId_ = v.harnessSessionId;
  if (harnessSessionId_ !== undefined) {
    if (typeof harnessSessionId_ !== 'string') addProblem(out, `${at}.harnessSessionId`, 'must be a string');
  }
  const runtimeSource_ = v.runtimeSource;
  if (runtimeSource_ !== undefined) {
    if (runtimeSource_ !== 'request' && runtimeSource_ !== 'stage' && runtimeSource_ !== 'default' && runtimeSource_ !== 'fallback') addProblem(out, `${at}.runtimeSource`, 'must be one of request, stage, default, fallback');
  }
  const resume_ = v.resume;
  if (resume_ !== undefined) {
    checkStageResume(resume_, `${at}.resume`, out);
  }
  const budget_ = v.budget;
  if (budget_ !== undefined) {
    checkStageBudget(budget_, `${at}.budget`, out);
  }
  const replaces_ = v.replaces;
  if (replaces_ !== undefined) {
    checkReplacedRuntime(replaces_, `${at}.replaces`, out);
  }
}

export function checkRuntimeStageClaimed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.claimed') addProblem(out, `${at}.type`, 'must be "runtime.stage.claimed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) addProblem(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) addProblem(out, `${at}.hostId`, 'must be a string that is not blank');
  }
}

export function checkRuntimeStageProgress(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.progress') addProblem(out, `${at}.type`, 'must be "runtime.stage.progress"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const label_ = v.label;
  if (label_ === undefined) addProblem(out, `${at}.label`, 'is required');
  else {
    if (!isText(label_)) addProblem(out, `${at}.label`, 'must be a string that is not blank');
  }
}

export function checkRuntimeStageStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.started') addProblem(out, `${at}.type`, 'must be "runtime.stage.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) addProblem(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) addProblem(out, `${at}.hostId`, 'must be a string that is not blank');
  }
  const harnessSessionId_ = v.harnessSessionId;
  if (harnessSessionId_ !== undefined) {
    if (typeof harnessSessionId_ !== 'string') addProblem(out, `${at}.harnessSessionId`, 'must be a string');
  }
  const mcpServerMappings_ = v.mcpServerMappings;
  if (mcpServerMappings_ === undefined) addProblem(out, `${at}.mcpServerMappings`, 'is required');
  else {
    if (!Array.isArray(mcpServerMappings_)) addProblem(out, `${at}.mcpServerMappings`, 'must be a list');
    else for (const [i, item] of mcpServerMappings_.entries()) {
      checkMcpServerMapping(item, `${at}.mcpServerMappings[${i}]`, out);
    }
  }
  const timings_ = v.timings;
  if (timings_ === undefined) addProblem(out, `${at}.timings`, 'is required');
  else {
    if (!isObject(timings_)) addProblem(out, `${at}.timings`, 'must be an object');
    else for (const [key, item] of Object.entries(timings_)) {
      if (!Number.isFinite(item)) addProblem(out, `${at}.timings.${key}`, 'must be a number');
    }
  }
  const degradedServers_ = v.degradedServers;
  if (degradedServers_ !== undefined) {
    if (!Array.isArray(degradedServers_)) addProblem(out, `${at}.degradedServers`, 'must be a list');
    else for (const [i, item] of degradedServers_.entries()) {
      checkDegradedServer(item, `${at}.degradedServers[${i}]`, out);
    }
  }
  const runtimeSource_ = v.runtimeSource;
  if (runtimeSource_ !== undefined) {
    if (runtimeSource_ !== 'request' && runtimeSource_ !== 'stage' && runtimeSource_ !== 'default' && runtimeSource_ !== 'fallback') addProblem(out, `${at}.runtimeSource`, 'must be one of request, stage, default, fallback');
  }
  const tree_ = v.tree;
  if (tree_ !== undefined) {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) addProblem(out, `${at}.tree`, FORMATS.sha256.message);
  }
}

export function checkRuntimeStageCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.completed') addProblem(out, `${at}.type`, 'must be "runtime.stage.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const output_ = v.output;
  if (output_ === undefined) addProblem(out, `${at}.output`, 'is required');
  const tree_ = v.tree;
  if (tree_ === undefined) addProblem(out, `${at}.tree`, 'is required');
  else {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) addProblem(out, `${at}.tree`, FORMATS.sha256.message);
  }
  const verdict_ = v.verdict;
  if (verdict_ !== undefined) {
    checkVerdict(verdict_, `${at}.verdict`, out);
  }
  const usage_ = v.usage;
  if (usage_ !== undefined) {
    checkUsage(usage_, `${at}.usage`, out);
  }
  const harnessSessionId_ = v.harnessSessionId;
  if (harnessSessionId_ !== undefined) {
    if (typeof harnessSessionId_ !== 'string') addProblem(out, `${at}.harnessSessionId`, 'must be a string');
  }
  const artifacts_ = v.artifacts;
  if (artifacts_ !== undefined) {
    if (!Array.isArray(artifacts_)) addProblem(out, `${at}.artifacts`, 'must be a list');
    else for (const [i, item] of artifacts_.entries()) {
      checkArtifact(item, `${at}.artifacts[${i}]`, out);
    }
  }
  const timings_ = v.timings;
  if (timings_ !== undefined) {
    if (!isObject(timings_)) addProblem(out, `${at}.timings`, 'must be an object');
    else for (const [key, item] of Object.entries(timings_)) {
      if (!Number.isFinite(item)) addProblem(out, `${at}.timings.${key}`, 'must be a number');
    }
  }
  const degradedServers_ = v.degradedServers;
  if (degradedServers_ !== undefined) {
    if (!Array.isArray(degradedServers_)) addProblem(out, `${at}.degradedServers`, 'must be a list');
    else for (const [i, item] of degradedServers_.entries()) {
      checkDegradedServer(item, `${at}.degradedServers[${i}]`, out);
    }
  }
  const deniedTools_ = v.deniedTools;
  if (deniedTools_ !== undefined) {
    if (!Array.isArray(deniedTools_)) addProblem(out, `${at}.deniedTools`, 'must be a list');
    else for (const [i, item] of deniedTools_.entries()) {
      checkDeniedTool(item, `${at}.deniedTools[${i}]`, out);
    }
  }
  const handoff_ = v.handoff;
  if (handoff_ !== undefined) {
    checkStageHandoff(handoff_, `${at}.handoff`, out);
  }
}

export function checkRuntimeStageWaiting(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.waiting') addProblem(out, `${at}.type`, 'must be "runtime.stage.waiting"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const question_ = v.question;
  if (question_ === undefined) addProblem(out, `${at}.question`, 'is required');
  const suspended_ = v.suspended;
  if (suspended_ !== undefined) {
    checkSuspension(suspended_, `${at}.suspended`, out);
  }
  const questionNumber_ = v.questionNumber;
  if (questionNumber_ !== undefined) {
    if (!Number.isSafeInteger(questionNumber_) || (questionNumber_ as number) < 1) addProblem(out, `${at}.questionNumber`, 'must be an integer, at least 1');
  }
  const usage_ = v.usage;
  if (usage_ !== undefined) {
    checkUsage(usage_, `${at}.usage`, out);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (reason_ !== 'user' && reason_ !== 'approval' && reason_ !== 'budget') addProblem(out, `${at}.reason`, 'must be one of user, approval, budget');
  }
  const subject_ = v.subject;
  if (subject_ !== undefined) {
    if (typeof subject_ !== 'string') addProblem(out, `${at}.subject`, 'must be a string');
  }
}

export function checkRuntimeStageFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.failed') addProblem(out, `${at}.type`, 'must be "runtime.stage.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const retryable_ = v.retryable;
  if (retryable_ === undefined) addProblem(out, `${at}.retryable`, 'is required');
  else {
    if (typeof retryable_ !== 'boolean') addProblem(out, `${at}.retryable`, 'must be true or false');
  }
  const usage_ = v.usage;
  if (usage_ !== undefined) {
    checkUsage(usage_, `${at}.usage`, out);
  }
  const outcome_ = v.outcome;
  if (outcome_ !== undefined) {
    if (outcome_ !== 'failed' && outcome_ !== 'unknown') addProblem(out, `${at}.outcome`, 'must be one of failed, unknown');
  }
}

export function checkRuntimeStageCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.cancelled') addProblem(out, `${at}.type`, 'must be "runtime.stage.cancelled"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) addProblem(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimeTaskRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.task.requested') addProblem(out, `${at}.type`, 'must be "runtime.task.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) addProblem(out, `${at}.kind`, 'must be a string that is not blank');
  }
  const taskId_ = v.taskId;
  if (taskId_ === undefined) addProblem(out, `${at}.taskId`, 'is required');
  else {
    if (!isText(taskId_)) addProblem(out, `${at}.taskId`, 'must be a string that is not blank');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const deadline_ = v.deadline;
  if (deadline_ !== undefined) {
    if (typeof deadline_ !== 'string' || !FORMATS.timestamp.test(deadline_)) addProblem(out, `${at}.deadline`, FORMATS.timestamp.message);
  }
  const definition_ = v.definition;
  if (definition_ !== undefined) {
    if (!isObject(definition_)) addProblem(out, `${at}.definition`, 'must be an object');
  }
}

export function checkRuntimeTaskCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.task.completed') addProblem(out, `${at}.type`, 'must be "runtime.task.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) addProblem(out, `${at}.kind`, 'must be a string that is not blank');
  }
  const taskId_ = v.taskId;
  if (taskId_ === undefined) addProblem(out, `${at}.taskId`, 'is required');
  else {
    if (!isText(taskId_)) addProblem(out, `${at}.taskId`, 'must be a string that is not blank');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
  const value_ = v.value;
  if (value_ === undefined) addProblem(out, `${at}.value`, 'is required');
  const answeredBy_ = v.answeredBy;
  if (answeredBy_ !== undefined) {
    if (typeof answeredBy_ !== 'string') addProblem(out, `${at}.answeredBy`, 'must be a string');
  }
}

export function checkRuntimeTaskFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.task.failed') addProblem(out, `${at}.type`, 'must be "runtime.task.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) addProblem(out, `${at}.kind`, 'must be a string that is not blank');
  }
  const taskId_ = v.taskId;
  if (taskId_ === undefined) addProblem(out, `${at}.taskId`, 'is required');
  else {
    if (!isText(taskId_)) addProblem(out, `${at}.taskId`, 'must be a string that is not blank');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') addProblem(out, `${at}.label`, 'must be a string');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const answeredBy_ = v.answeredBy;
  if (answeredBy_ !== undefined) {
    if (typeof answeredBy_ !== 'string') addProblem(out, `${at}.answeredBy`, 'must be a string');
  }
}

export function checkRuntimeChildStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.child.started') addProblem(out, `${at}.type`, 'must be "runtime.child.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const childRequestId_ = v.childRequestId;
  if (childRequestId_ === undefined) addProblem(out, `${at}.childRequestId`, 'is required');
  else {
    if (typeof childRequestId_ !== 'string' || !FORMATS.token.test(childRequestId_)) addProblem(out, `${at}.childRequestId`, FORMATS.token.message);
  }
}

export function checkRuntimeChildCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.child.completed') addProblem(out, `${at}.type`, 'must be "runtime.child.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const childRequestId_ = v.childRequestId;
  if (childRequestId_ === undefined) addProblem(out, `${at}.childRequestId`, 'is required');
  else {
    if (typeof childRequestId_ !== 'string' || !FORMATS.token.test(childRequestId_)) addProblem(out, `${at}.childRequestId`, FORMATS.token.message);
  }
}

export function checkRuntimeChildFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.child.failed') addProblem(out, `${at}.type`, 'must be "runtime.child.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const childRequestId_ = v.childRequestId;
  if (childRequestId_ === undefined) addProblem(out, `${at}.childRequestId`, 'is required');
  else {
    if (typeof childRequestId_ !== 'string' || !FORMATS.token.test(childRequestId_)) addProblem(out, `${at}.childRequestId`, FORMATS.token.message);
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeToolDirectRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.requested') addProblem(out, `${at}.type`, 'must be "runtime.tool.direct.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) addProblem(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) addProblem(out, `${at}.toolId`, 'must be a string that is not blank');
  }
  const args_ = v.args;
  if (args_ === undefined) addProblem(out, `${at}.args`, 'is required');
  else {
    if (!isObject(args_)) addProblem(out, `${at}.args`, 'must be an object');
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimeToolDirectStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.started') addProblem(out, `${at}.type`, 'must be "runtime.tool.direct.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) addProblem(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) addProblem(out, `${at}.toolId`, 'must be a string that is not blank');
  }
}

export function checkRuntimeToolDirectCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.completed') addProblem(out, `${at}.type`, 'must be "runtime.tool.direct.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) addProblem(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) addProblem(out, `${at}.toolId`, 'must be a string that is not blank');
  }
  const output_ = v.output;
  if (output_ === undefined) addProblem(out, `${at}.output`, 'is required');
}

export function checkRuntimeToolDirectFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.failed') addProblem(out, `${at}.type`, 'must be "runtime.tool.direct.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) addProblem(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) addProblem(out, `${at}.toolId`, 'must be a string that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeToolDenied(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.denied') addProblem(out, `${at}.type`, 'must be "runtime.tool.denied"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) addProblem(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) addProblem(out, `${at}.toolId`, 'must be a string that is not blank');
  }
  const policyId_ = v.policyId;
  if (policyId_ === undefined) addProblem(out, `${at}.policyId`, 'is required');
  else {
    if (!isText(policyId_)) addProblem(out, `${at}.policyId`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ !== undefined) {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) addProblem(out, `${at}.approvalId`, FORMATS.token.message);
  }
  const callId_ = v.callId;
  if (callId_ !== undefined) {
    if (typeof callId_ !== 'string') addProblem(out, `${at}.callId`, 'must be a string');
  }
}

export function checkRuntimeMcpServerUnavailable(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.mcp.server.unavailable') addProblem(out, `${at}.type`, 'must be "runtime.mcp.server.unavailable"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const serverId_ = v.serverId;
  if (serverId_ === undefined) addProblem(out, `${at}.serverId`, 'is required');
  else {
    if (!isText(serverId_)) addProblem(out, `${at}.serverId`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const missingToolIds_ = v.missingToolIds;
  if (missingToolIds_ === undefined) addProblem(out, `${at}.missingToolIds`, 'is required');
  else {
    if (!Array.isArray(missingToolIds_)) addProblem(out, `${at}.missingToolIds`, 'must be a list');
    else for (const [i, item] of missingToolIds_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.missingToolIds[${i}]`, 'must be a string');
    }
  }
  const required_ = v.required;
  if (required_ === undefined) addProblem(out, `${at}.required`, 'is required');
  else {
    if (typeof required_ !== 'boolean') addProblem(out, `${at}.required`, 'must be true or false');
  }
}

export function checkRuntimeAdapterEvent(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') addProblem(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const event_ = v.event;
  if (event_ === undefined) addProblem(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ !== undefined) {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') addProblem(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ !== undefined) {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) addProblem(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAdapterEvent(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const adapter_ = v.adapter;
  if (adapter_ === undefined) addProblem(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) addProblem(out, `${at}.adapter`, 'must be a string that is not blank');
  }
  const phase_ = v.phase;
  if (phase_ !== undefined) {
    if (typeof phase_ !== 'string') addProblem(out, `${at}.phase`, 'must be a string');
  }
  const traceType_ = v.traceType;
  if (traceType_ !== undefined) {
    if (traceType_ !== 'plan' && traceType_ !== 'delegation') addProblem(out, `${at}.traceType`, 'must be one of plan, delegation');
  }
  const toolId_ = v.toolId;
  if (toolId_ !== undefined) {
    if (typeof toolId_ !== 'string') addProblem(out, `${at}.toolId`, 'must be a string');
  }
  const callId_ = v.callId;
  if (callId_ !== undefined) {
    if (typeof callId_ !== 'string') addProblem(out, `${at}.callId`, 'must be a string');
  }
  const text_ = v.text;
  if (text_ !== undefined) {
    if (typeof text_ !== 'string') addProblem(out, `${at}.text`, 'must be a string');
  }
  const modelRef_ = v.modelRef;
  if (modelRef_ !== undefined) {
    if (typeof modelRef_ !== 'string') addProblem(out, `${at}.modelRef`, 'must be a string');
  }
  const tools_ = v.tools;
  if (tools_ !== undefined) {
    if (!Array.isArray(tools_)) addProblem(out, `${at}.tools`, 'must be a list');
    else for (const [i, item] of tools_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.tools[${i}]`, 'must be a string');
    }
  }
  const subagents_ = v.subagents;
  if (subagents_ !== undefined) {
    if (!Array.isArray(subagents_)) addProblem(out, `${at}.subagents`, 'must be a list');
    else for (const [i, item] of subagents_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.subagents[${i}]`, 'must be a string');
    }
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') addProblem(out, `${at}.workflowId`, 'must be a string');
  }
  const nodeId_ = v.nodeId;
  if (nodeId_ !== undefined) {
    if (typeof nodeId_ !== 'string') addProblem(out, `${at}.nodeId`, 'must be a string');
  }
  const skillId_ = v.skillId;
  if (skillId_ !== undefined) {
    if (typeof skillId_ !== 'string') addProblem(out, `${at}.skillId`, 'must be a string');
  }
  const grantedTools_ = v.grantedTools;
  if (grantedTools_ !== undefined) {
    if (!Array.isArray(grantedTools_)) addProblem(out, `${at}.grantedTools`, 'must be a list');
    else for (const [i, item] of grantedTools_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.grantedTools[${i}]`, 'must be a string');
    }
  }
  const grantedCommands_ = v.grantedCommands;
  if (grantedCommands_ !== undefined) {
    if (!Array.isArray(grantedCommands_)) addProblem(out, `${at}.grantedCommands`, 'must be a list');
    else for (const [i, item] of grantedCommands_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.grantedCommands[${i}]`, 'must be a string');
    }
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const aborted_ = v.aborted;
  if (aborted_ !== undefined) {
    if (typeof aborted_ !== 'boolean') addProblem(out, `${at}.aborted`, 'must be true or false');
  }
  const nativeType_ = v.nativeType;
  if (nativeType_ !== undefined) {
    if (typeof nativeType_ !== 'string') addProblem(out, `${at}.nativeType`, 'must be a string');
  }
  const modelCall_ = v.modelCall;
  if (modelCall_ !== undefined) {
    checkModelCall(modelCall_, `${at}.modelCall`, out);
  }
}

export function checkRuntimeProgressNarration(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.progress.narration') addProblem(out, `${at}.type`, 'must be "runtime.progress.narration"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const message_ = v.message;
  if (message_ === undefined) addProblem(out, `${at}.message`, 'is required');
  else {
    if (typeof message_ !== 'string') addProblem(out, `${at}.message`, 'must be a string');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) addProblem(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) addProblem(out, `${at}.provider`, 'must be a string that is not blank');
  }
  const sourceEventTypes_ = v.sourceEventTypes;
  if (sourceEventTypes_ === undefined) addProblem(out, `${at}.sourceEventTypes`, 'is required');
  else {
    if (!Array.isArray(sourceEventTypes_)) addProblem(out, `${at}.sourceEventTypes`, 'must be a list');
    else for (const [i, item] of sourceEventTypes_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.sourceEventTypes[${i}]`, 'must be a string');
    }
  }
  const sourceEventIds_ = v.sourceEventIds;
  if (sourceEventIds_ !== undefined) {
    if (!Array.isArray(sourceEventIds_)) addProblem(out, `${at}.sourceEventIds`, 'must be a list');
    else for (const [i, item] of sourceEventIds_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.sourceEventIds[${i}]`, 'must be a string');
    }
  }
  const model_ = v.model;
  if (model_ !== undefined) {
    if (typeof model_ !== 'string') addProblem(out, `${at}.model`, 'must be a string');
  }
  const style_ = v.style;
  if (style_ !== undefined) {
    if (typeof style_ !== 'string') addProblem(out, `${at}.style`, 'must be a string');
  }
}

export function checkRuntimeWorkflowRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.requested') addProblem(out, `${at}.type`, 'must be "runtime.workflow.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) addProblem(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) addProblem(out, `${at}.workflowId`, 'must be a string that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) addProblem(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) addProblem(out, `${at}.adapter`, 'must be a string that is not blank');
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimeWorkflowStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.started') addProblem(out, `${at}.type`, 'must be "runtime.workflow.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) addProblem(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) addProblem(out, `${at}.workflowId`, 'must be a string that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) addProblem(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) addProblem(out, `${at}.adapter`, 'must be a string that is not blank');
  }
}

export function checkRuntimeWorkflowCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.completed') addProblem(out, `${at}.type`, 'must be "runtime.workflow.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) addProblem(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) addProblem(out, `${at}.workflowId`, 'must be a string that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) addProblem(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) addProblem(out, `${at}.adapter`, 'must be a string that is not blank');
  }
}

export function checkRuntimeWorkflowFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.failed') addProblem(out, `${at}.type`, 'must be "runtime.workflow.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) addProblem(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) addProblem(out, `${at}.workflowId`, 'must be a string that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) addProblem(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) addProblem(out, `${at}.adapter`, 'must be a string that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) addProblem(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeArtifactCreated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.artifact.created') addProblem(out, `${at}.type`, 'must be "runtime.artifact.created"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const artifact_ = v.artifact;
  if (artifact_ === undefined) addProblem(out, `${at}.artifact`, 'is required');
  else {
    checkArtifact(artifact_, `${at}.artifact`, out);
  }
}

export function checkRuntimeSpecDrivenPhaseStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.started') addProblem(out, `${at}.type`, 'must be "runtime.specDriven.phase.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) addProblem(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) addProblem(out, `${at}.phaseId`, 'must be a string that is not blank');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') addProblem(out, `${at}.workflowId`, 'must be a string');
  }
}

export function checkRuntimeSpecDrivenPhaseBlocked(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.blocked') addProblem(out, `${at}.type`, 'must be "runtime.specDriven.phase.blocked"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) addProblem(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) addProblem(out, `${at}.phaseId`, 'must be a string that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) addProblem(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') addProblem(out, `${at}.workflowId`, 'must be a string');
  }
}

export function checkRuntimeSpecDrivenPhaseCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.completed') addProblem(out, `${at}.type`, 'must be "runtime.specDriven.phase.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) addProblem(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) addProblem(out, `${at}.phaseId`, 'must be a string that is not blank');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') addProblem(out, `${at}.workflowId`, 'must be a string');
  }
}

export function checkRuntimeSpecDrivenPhaseVerified(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.verified') addProblem(out, `${at}.type`, 'must be "runtime.specDriven.phase.verified"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) addProblem(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) addProblem(out, `${at}.phaseId`, 'must be a string that is not blank');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') addProblem(out, `${at}.workflowId`, 'must be a string');
  }
}

export function checkRuntimeSkillCandidateCreated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) addProblem(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.skill.candidate.created') addProblem(out, `${at}.type`, 'must be "runtime.skill.candidate.created"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const candidateId_ = v.candidateId;
  if (candidateId_ === undefined) addProblem(out, `${at}.candidateId`, 'is required');
  else {
    if (typeof candidateId_ !== 'string' || !FORMATS.token.test(candidateId_)) addProblem(out, `${at}.candidateId`, FORMATS.token.message);
  }
  const name_ = v.name;
  if (name_ === undefined) addProblem(out, `${at}.name`, 'is required');
  else {
    if (!isText(name_)) addProblem(out, `${at}.name`, 'must be a string that is not blank');
  }
  const confidence_ = v.confidence;
  if (confidence_ === undefined) addProblem(out, `${at}.confidence`, 'is required');
  else {
    if (!Number.isFinite(confidence_) || (confidence_ as number) < 0 || (confidence_ as number) > 1) addProblem(out, `${at}.confidence`, 'must be a number, at least 0, at most 1');
  }
  const evidenceCount_ = v.evidenceCount;
  if (evidenceCount_ === undefined) addProblem(out, `${at}.evidenceCount`, 'is required');
  else {
    if (!Number.isSafeInteger(evidenceCount_) || (evidenceCount_ as number) < 0) addProblem(out, `${at}.evidenceCount`, 'must be an integer, at least 0');
  }
  const status_ = v.status;
  if (status_ === undefined) addProblem(out, `${at}.status`, 'is required');
  else {
    if (!isText(status_)) addProblem(out, `${at}.status`, 'must be a string that is not blank');
  }
  const proposedPath_ = v.proposedPath;
  if (proposedPath_ !== undefined) {
    if (typeof proposedPath_ !== 'string') addProblem(out, `${at}.proposedPath`, 'must be a string');
  }
}

export function checkAnswerHead(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) addProblem(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) addProblem(out, `${at}.effectId`, FORMATS.token.message);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const resumption_ = v.resumption;
  if (resumption_ !== undefined) {
    if (!Number.isSafeInteger(resumption_) || (resumption_ as number) < 1) addProblem(out, `${at}.resumption`, 'must be an integer, at least 1');
  }
  const epoch_ = v.epoch;
  if (epoch_ !== undefined) {
    if (!Number.isSafeInteger(epoch_) || (epoch_ as number) < 0) addProblem(out, `${at}.epoch`, 'must be an integer, at least 0');
  }
  const outcome_ = v.outcome;
  if (outcome_ !== undefined) {
    if (outcome_ !== 'failed' && outcome_ !== 'unknown') addProblem(out, `${at}.outcome`, 'must be one of failed, unknown');
  }
}

export function checkClaimRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const attempt_ = v.attempt;
  if (attempt_ === undefined) addProblem(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) addProblem(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) addProblem(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) addProblem(out, `${at}.hostId`, 'must be a string that is not blank');
  }
  const state_ = v.state;
  if (state_ === undefined) addProblem(out, `${at}.state`, 'is required');
  else {
    if (state_ !== 'working' && state_ !== 'answered' && state_ !== 'expired') addProblem(out, `${at}.state`, 'must be one of working, answered, expired');
  }
  const subject_ = v.subject;
  if (subject_ === undefined) addProblem(out, `${at}.subject`, 'is required');
  else {
    if (typeof subject_ !== 'string') addProblem(out, `${at}.subject`, 'must be a string');
  }
  const answerRef_ = v.answerRef;
  if (answerRef_ !== undefined) {
    checkBlobRef(answerRef_, `${at}.answerRef`, out);
  }
}

export function checkControlRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const orders_ = v.orders;
  if (orders_ === undefined) addProblem(out, `${at}.orders`, 'is required');
  else {
    if (!Array.isArray(orders_)) addProblem(out, `${at}.orders`, 'must be a list');
    else for (const [i, item] of orders_.entries()) {
      checkControlOrder(item, `${at}.orders[${i}]`, out);
    }
  }
}

export function checkControlOrder(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const number_ = v.number;
  if (number_ === undefined) addProblem(out, `${at}.number`, 'is required');
  else {
    if (!Number.isSafeInteger(number_) || (number_ as number) < 1) addProblem(out, `${at}.number`, 'must be an integer, at least 1');
  }
  const kind_ = v.kind;
  if (kind_ === undefined) addProblem(out, `${at}.kind`, 'is required');
  else {
    if (kind_ !== 'cancel' && kind_ !== 'answer' && kind_ !== 'approve' && kind_ !== 'deny' && kind_ !== 'compact' && kind_ !== 'nudge') addProblem(out, `${at}.kind`, 'must be one of cancel, answer, approve, deny, compact, nudge');
  }
}

export function checkHarnessOffer(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) addProblem(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) addProblem(out, `${at}.runtimeId`, FORMATS.token.message);
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) addProblem(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) addProblem(out, `${at}.hostId`, 'must be a string that is not blank');
  }
  const version_ = v.version;
  if (version_ === undefined) addProblem(out, `${at}.version`, 'is required');
  else {
    if (typeof version_ !== 'string') addProblem(out, `${at}.version`, 'must be a string');
  }
  const healthy_ = v.healthy;
  if (healthy_ === undefined) addProblem(out, `${at}.healthy`, 'is required');
  else {
    if (typeof healthy_ !== 'boolean') addProblem(out, `${at}.healthy`, 'must be true or false');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const slots_ = v.slots;
  if (slots_ === undefined) addProblem(out, `${at}.slots`, 'is required');
  else {
    if (!Number.isSafeInteger(slots_) || (slots_ as number) < 0) addProblem(out, `${at}.slots`, 'must be an integer, at least 0');
  }
  const capabilities_ = v.capabilities;
  if (capabilities_ !== undefined) {
    if (!Array.isArray(capabilities_)) addProblem(out, `${at}.capabilities`, 'must be a list');
    else for (const [i, item] of capabilities_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.capabilities[${i}]`, 'must be a string');
    }
  }
  const providers_ = v.providers;
  if (providers_ !== undefined) {
    if (!Array.isArray(providers_)) addProblem(out, `${at}.providers`, 'must be a list');
    else for (const [i, item] of providers_.entries()) {
      checkProviderHealth(item, `${at}.providers[${i}]`, out);
    }
  }
  const slotsInUse_ = v.slotsInUse;
  if (slotsInUse_ !== undefined) {
    if (!Number.isSafeInteger(slotsInUse_) || (slotsInUse_ as number) < 0) addProblem(out, `${at}.slotsInUse`, 'must be an integer, at least 0');
  }
  const stagesTaken_ = v.stagesTaken;
  if (stagesTaken_ !== undefined) {
    if (!Number.isSafeInteger(stagesTaken_) || (stagesTaken_ as number) < 0) addProblem(out, `${at}.stagesTaken`, 'must be an integer, at least 0');
  }
  const sandbox_ = v.sandbox;
  if (sandbox_ !== undefined) {
    if (typeof sandbox_ !== 'string') addProblem(out, `${at}.sandbox`, 'must be a string');
  }
  const network_ = v.network;
  if (network_ !== undefined) {
    if (typeof network_ !== 'string') addProblem(out, `${at}.network`, 'must be a string');
  }
}

export function checkProviderHealth(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const providerId_ = v.providerId;
  if (providerId_ === undefined) addProblem(out, `${at}.providerId`, 'is required');
  else {
    if (!isText(providerId_)) addProblem(out, `${at}.providerId`, 'must be a string that is not blank');
  }
  const status_ = v.status;
  if (status_ === undefined) addProblem(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'ok' && status_ !== 'unknown' && status_ !== 'failed') addProblem(out, `${at}.status`, 'must be one of ok, unknown, failed');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') addProblem(out, `${at}.reason`, 'must be a string');
  }
  const hint_ = v.hint;
  if (hint_ !== undefined) {
    if (typeof hint_ !== 'string') addProblem(out, `${at}.hint`, 'must be a string');
  }
  const models_ = v.models;
  if (models_ !== undefined) {
    if (!Array.isArray(models_)) addProblem(out, `${at}.models`, 'must be a list');
    else for (const [i, item] of models_.entries()) {
      if (typeof item !== 'string') addProblem(out, `${at}.models[${i}]`, 'must be a string');
    }
  }
}

export function checkRequestRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const bodyHash_ = v.bodyHash;
  if (bodyHash_ === undefined) addProblem(out, `${at}.bodyHash`, 'is required');
  else {
    if (typeof bodyHash_ !== 'string' || !FORMATS.sha256.test(bodyHash_)) addProblem(out, `${at}.bodyHash`, FORMATS.sha256.message);
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) addProblem(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) addProblem(out, `${at}.workspaceId`, FORMATS.token.message);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) addProblem(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) addProblem(out, `${at}.sessionId`, FORMATS.token.message);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) addProblem(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) addProblem(out, `${at}.agentId`, 'must be a string that is not blank');
  }
  const acceptedAt_ = v.acceptedAt;
  if (acceptedAt_ === undefined) addProblem(out, `${at}.acceptedAt`, 'is required');
  else {
    if (typeof acceptedAt_ !== 'string' || !FORMATS.timestamp.test(acceptedAt_)) addProblem(out, `${at}.acceptedAt`, FORMATS.timestamp.message);
  }
  const expiredAt_ = v.expiredAt;
  if (expiredAt_ !== undefined) {
    if (typeof expiredAt_ !== 'string' || !FORMATS.timestamp.test(expiredAt_)) addProblem(out, `${at}.expiredAt`, FORMATS.timestamp.message);
  }
}

export function checkSessionRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const state_ = v.state;
  if (state_ === undefined) addProblem(out, `${at}.state`, 'is required');
  else {
    checkSessionState(state_, `${at}.state`, out);
  }
  const running_ = v.running;
  if (running_ !== undefined) {
    checkSessionTurn(running_, `${at}.running`, out);
  }
  const queued_ = v.queued;
  if (queued_ === undefined) addProblem(out, `${at}.queued`, 'is required');
  else {
    if (!Array.isArray(queued_)) addProblem(out, `${at}.queued`, 'must be a list');
    else for (const [i, item] of queued_.entries()) {
      checkSessionTurn(item, `${at}.queued[${i}]`, out);
    }
  }
  const left_ = v.left;
  if (left_ !== undefined) {
    if (!Array.isArray(left_)) addProblem(out, `${at}.left`, 'must be a list');
    else for (const [i, item] of left_.entries()) {
      if (typeof item !== 'string' || !FORMATS.token.test(item)) addProblem(out, `${at}.left[${i}]`, FORMATS.token.message);
    }
  }
  const expiredAt_ = v.expiredAt;
  if (expiredAt_ !== undefined) {
    if (typeof expiredAt_ !== 'string' || !FORMATS.timestamp.test(expiredAt_)) addProblem(out, `${at}.expiredAt`, FORMATS.timestamp.message);
  }
}

export function checkSessionTurn(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) addProblem(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) addProblem(out, `${at}.requestId`, FORMATS.token.message);
  }
  const submitRef_ = v.submitRef;
  if (submitRef_ !== undefined) {
    checkBlobRef(submitRef_, `${at}.submitRef`, out);
  }
}

export function checkApiKeyRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) addProblem(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) addProblem(out, `${at}.id`, FORMATS.token.message);
  }
  const name_ = v.name;
  if (name_ === undefined) addProblem(out, `${at}.name`, 'is required');
  else {
    if (typeof name_ !== 'string') addProblem(out, `${at}.name`, 'must be a string');
  }
  const hash_ = v.hash;
  if (hash_ === undefined) addProblem(out, `${at}.hash`, 'is required');
  else {
    if (typeof hash_ !== 'string' || !FORMATS.sha256.test(hash_)) addProblem(out, `${at}.hash`, FORMATS.sha256.message);
  }
  const createdAt_ = v.createdAt;
  if (createdAt_ === undefined) addProblem(out, `${at}.createdAt`, 'is required');
  else {
    if (typeof createdAt_ !== 'string' || !FORMATS.timestamp.test(createdAt_)) addProblem(out, `${at}.createdAt`, FORMATS.timestamp.message);
  }
  const revokedAt_ = v.revokedAt;
  if (revokedAt_ !== undefined) {
    if (typeof revokedAt_ !== 'string' || !FORMATS.timestamp.test(revokedAt_)) addProblem(out, `${at}.revokedAt`, FORMATS.timestamp.message);
  }
}

export function checkPlanRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return addProblem(out, at, 'must be an object');
  const inputsChecksum_ = v.inputsChecksum;
  if (inputsChecksum_ === undefined) addProblem(out, `${at}.inputsChecksum`, 'is required');
  else {
    if (typeof inputsChecksum_ !== 'string' || !FORMATS.sha256.test(inputsChecksum_)) addProblem(out, `${at}.inputsChecksum`, FORMATS.sha256.message);
  }
  const plan_ = v.plan;
  if (plan_ === undefined) addProblem(out, `${at}.plan`, 'is required');
  const diagnostics_ = v.diagnostics;
  if (diagnostics_ === undefined) addProblem(out, `${at}.diagnostics`, 'is required');
  else {
    if (!Array.isArray(diagnostics_)) addProblem(out, `${at}.diagnostics`, 'must be a list');
    else for (const [i, item] of diagnostics_.entries()) {
      checkDiagnostic(item, `${at}.diagnostics[${i}]`, out);
    }
  }
}

/** Message name → its check. */
export const CHECKS = {
  AgentHandoff: checkAgentHandoff,
  AgentOutputDelta: checkAgentOutputDelta,
  AgentThinkingDelta: checkAgentThinkingDelta,
  AgentToolStart: checkAgentToolStart,
  AgentToolResult: checkAgentToolResult,
  AgentSkillInvoked: checkAgentSkillInvoked,
  AgentCompactionStart: checkAgentCompactionStart,
  AgentCompactionEnd: checkAgentCompactionEnd,
  AgentModelCall: checkAgentModelCall,
  AgentLanggraphInvoke: checkAgentLanggraphInvoke,
  AgentNodeCompleted: checkAgentNodeCompleted,
  AgentNative: checkAgentNative,
  AgentToolOutput: checkAgentToolOutput,
  CommandRunSubmit: checkCommandRunSubmit,
  CommandRunCancel: checkCommandRunCancel,
  CommandRunAnswer: checkCommandRunAnswer,
  CommandRunPause: checkCommandRunPause,
  CommandRunResume: checkCommandRunResume,
  CommandRunUnpark: checkCommandRunUnpark,
  CommandRunHalt: checkCommandRunHalt,
  CommandRunAssign: checkCommandRunAssign,
  CommandEffectCancel: checkCommandEffectCancel,
  CommandEffectInvalidate: checkCommandEffectInvalidate,
  CommandApprovalResolve: checkCommandApprovalResolve,
  CommandSignal: checkCommandSignal,
  TimerDue: checkTimerDue,
  EffectProgress: checkEffectProgress,
  ErrorInfo: checkErrorInfo,
  Diagnostic: checkDiagnostic,
  BlobRef: checkBlobRef,
  Usage: checkUsage,
  StageBudget: checkStageBudget,
  ModelCall: checkModelCall,
  Verdict: checkVerdict,
  Artifact: checkArtifact,
  ApprovalSubject: checkApprovalSubject,
  McpServerMapping: checkMcpServerMapping,
  DegradedServer: checkDegradedServer,
  DeniedTool: checkDeniedTool,
  ProcessRef: checkProcessRef,
  ParentRef: checkParentRef,
  ForkRef: checkForkRef,
  Limits: checkLimits,
  ReplacedRuntime: checkReplacedRuntime,
  Suspension: checkSuspension,
  StageResume: checkStageResume,
  Turn: checkTurn,
  LastRun: checkLastRun,
  ToolResultRef: checkToolResultRef,
  StageHandoff: checkStageHandoff,
  HandoffFile: checkHandoffFile,
  EndedStage: checkEndedStage,
  ContextOutcome: checkContextOutcome,
  StageSession: checkStageSession,
  SessionState: checkSessionState,
  MemoryUse: checkMemoryUse,
  ControlDirectiveEmitted: checkControlDirectiveEmitted,
  JournalCommit: checkJournalCommit,
  JournalEntry: checkJournalEntry,
  EntryRunCreated: checkEntryRunCreated,
  EntryProcessAssigned: checkEntryProcessAssigned,
  EntryProcessCodeChanged: checkEntryProcessCodeChanged,
  EntryProcessLog: checkEntryProcessLog,
  EntryEffectProgress: checkEntryEffectProgress,
  EntryCostTracked: checkEntryCostTracked,
  EntryEffectRequested: checkEntryEffectRequested,
  EntryEffectClaimed: checkEntryEffectClaimed,
  EntryEffectStarted: checkEntryEffectStarted,
  EntryEffectWaiting: checkEntryEffectWaiting,
  EntryEffectAnswered: checkEntryEffectAnswered,
  EntryEffectAttemptFailed: checkEntryEffectAttemptFailed,
  EntryEffectResolved: checkEntryEffectResolved,
  EntryEffectCancelled: checkEntryEffectCancelled,
  EntrySignalReceived: checkEntrySignalReceived,
  EntryEffectInvalidated: checkEntryEffectInvalidated,
  EntryApprovalResolved: checkEntryApprovalResolved,
  EntryBudgetExceeded: checkEntryBudgetExceeded,
  EntryProcessRuntimeError: checkEntryProcessRuntimeError,
  EntryRunPaused: checkEntryRunPaused,
  EntryRunResumed: checkEntryRunResumed,
  EntryRunCancelRequested: checkEntryRunCancelRequested,
  EntryRunCompleted: checkEntryRunCompleted,
  EntryRunFailed: checkEntryRunFailed,
  EntryRunCancelled: checkEntryRunCancelled,
  EntryRunHalted: checkEntryRunHalted,
  EntryRunArchived: checkEntryRunArchived,
  MemoryRecord: checkMemoryRecord,
  MemorySource: checkMemorySource,
  MemoryStub: checkMemoryStub,
  MemoryRecordWritten: checkMemoryRecordWritten,
  MemoryRecordsForgotten: checkMemoryRecordsForgotten,
  MemoryRecordRated: checkMemoryRecordRated,
  MemoryAddCall: checkMemoryAddCall,
  MemoryEditCall: checkMemoryEditCall,
  MemoryRateCall: checkMemoryRateCall,
  MemoryForgetCall: checkMemoryForgetCall,
  MemoryIdCall: checkMemoryIdCall,
  MemoryListCall: checkMemoryListCall,
  MemoryEntry: checkMemoryEntry,
  MemoryRatings: checkMemoryRatings,
  MemoryPage: checkMemoryPage,
  MemoryDecision: checkMemoryDecision,
  MemoryForgotten: checkMemoryForgotten,
  MemoryNamespaces: checkMemoryNamespaces,
  MemoryNamespace: checkMemoryNamespace,
  MemoryVerification: checkMemoryVerification,
  MemoryRecallCall: checkMemoryRecallCall,
  MemoryRecall: checkMemoryRecall,
  MemoryRecalled: checkMemoryRecalled,
  MemorySignals: checkMemorySignals,
  RuntimeApprovalRequested: checkRuntimeApprovalRequested,
  RuntimeApprovalResolved: checkRuntimeApprovalResolved,
  RuntimeUsageRecorded: checkRuntimeUsageRecorded,
  RuntimeBudgetExceeded: checkRuntimeBudgetExceeded,
  RuntimeHarnessAvailable: checkRuntimeHarnessAvailable,
  RuntimeHarnessUnavailable: checkRuntimeHarnessUnavailable,
  RuntimeMemoryLifecycle: checkRuntimeMemoryLifecycle,
  RuntimeMemoryRecallRequested: checkRuntimeMemoryRecallRequested,
  RuntimeMemoryRecallCompleted: checkRuntimeMemoryRecallCompleted,
  RuntimeMemoryRecallFailed: checkRuntimeMemoryRecallFailed,
  RuntimeMemoryCandidateSubmitted: checkRuntimeMemoryCandidateSubmitted,
  RuntimeMemoryApprovalRequested: checkRuntimeMemoryApprovalRequested,
  RuntimeMemoryPluginStarted: checkRuntimeMemoryPluginStarted,
  RuntimeMemoryPluginCompleted: checkRuntimeMemoryPluginCompleted,
  RuntimeMemoryPluginFailed: checkRuntimeMemoryPluginFailed,
  RuntimeMemoryMaintenanceStarted: checkRuntimeMemoryMaintenanceStarted,
  RuntimeMemoryMaintenanceCompleted: checkRuntimeMemoryMaintenanceCompleted,
  RuntimeMemoryMaintenanceFailed: checkRuntimeMemoryMaintenanceFailed,
  RuntimePlanRequested: checkRuntimePlanRequested,
  RuntimePlanCompiled: checkRuntimePlanCompiled,
  RuntimePlanRejected: checkRuntimePlanRejected,
  RuntimePrepareRequested: checkRuntimePrepareRequested,
  RuntimePrepareCompleted: checkRuntimePrepareCompleted,
  RuntimePrepareFailed: checkRuntimePrepareFailed,
  RuntimeRequestStarted: checkRuntimeRequestStarted,
  RuntimeRequestCompleted: checkRuntimeRequestCompleted,
  RuntimeRequestFailed: checkRuntimeRequestFailed,
  RuntimeRequestCancelled: checkRuntimeRequestCancelled,
  RuntimeRequestWaiting: checkRuntimeRequestWaiting,
  RuntimeRequestResumed: checkRuntimeRequestResumed,
  RuntimeSignalKept: checkRuntimeSignalKept,
  RuntimeExecutionContractFailed: checkRuntimeExecutionContractFailed,
  RuntimeStageRequested: checkRuntimeStageRequested,
  RuntimeStageClaimed: checkRuntimeStageClaimed,
  RuntimeStageProgress: checkRuntimeStageProgress,
  RuntimeStageStarted: checkRuntimeStageStarted,
  RuntimeStageCompleted: checkRuntimeStageCompleted,
  RuntimeStageWaiting: checkRuntimeStageWaiting,
  RuntimeStageFailed: checkRuntimeStageFailed,
  RuntimeStageCancelled: checkRuntimeStageCancelled,
  RuntimeTaskRequested: checkRuntimeTaskRequested,
  RuntimeTaskCompleted: checkRuntimeTaskCompleted,
  RuntimeTaskFailed: checkRuntimeTaskFailed,
  RuntimeChildStarted: checkRuntimeChildStarted,
  RuntimeChildCompleted: checkRuntimeChildCompleted,
  RuntimeChildFailed: checkRuntimeChildFailed,
  RuntimeToolDirectRequested: checkRuntimeToolDirectRequested,
  RuntimeToolDirectStarted: checkRuntimeToolDirectStarted,
  RuntimeToolDirectCompleted: checkRuntimeToolDirectCompleted,
  RuntimeToolDirectFailed: checkRuntimeToolDirectFailed,
  RuntimeToolDenied: checkRuntimeToolDenied,
  RuntimeMcpServerUnavailable: checkRuntimeMcpServerUnavailable,
  RuntimeAdapterEvent: checkRuntimeAdapterEvent,
  AdapterEvent: checkAdapterEvent,
  RuntimeProgressNarration: checkRuntimeProgressNarration,
  RuntimeWorkflowRequested: checkRuntimeWorkflowRequested,
  RuntimeWorkflowStarted: checkRuntimeWorkflowStarted,
  RuntimeWorkflowCompleted: checkRuntimeWorkflowCompleted,
  RuntimeWorkflowFailed: checkRuntimeWorkflowFailed,
  RuntimeArtifactCreated: checkRuntimeArtifactCreated,
  RuntimeSpecDrivenPhaseStarted: checkRuntimeSpecDrivenPhaseStarted,
  RuntimeSpecDrivenPhaseBlocked: checkRuntimeSpecDrivenPhaseBlocked,
  RuntimeSpecDrivenPhaseCompleted: checkRuntimeSpecDrivenPhaseCompleted,
  RuntimeSpecDrivenPhaseVerified: checkRuntimeSpecDrivenPhaseVerified,
  RuntimeSkillCandidateCreated: checkRuntimeSkillCandidateCreated,
  AnswerHead: checkAnswerHead,
  ClaimRecord: checkClaimRecord,
  ControlRecord: checkControlRecord,
  ControlOrder: checkControlOrder,
  HarnessOffer: checkHarnessOffer,
  ProviderHealth: checkProviderHealth,
  RequestRecord: checkRequestRecord,
  SessionRecord: checkSessionRecord,
  SessionTurn: checkSessionTurn,
  ApiKeyRecord: checkApiKeyRecord,
  PlanRecord: checkPlanRecord,
} as const satisfies Record<string, Check>;
