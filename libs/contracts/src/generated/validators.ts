// Generated from proto/ by `npm run generate`. Do not edit.

import { bad, FORMATS, isObject, isText, type Check } from '../validation/checks.ts';
import type { Problem } from '../errors/reins-error.ts';

export function checkAgentHandoff(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentOutputDelta(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentThinkingDelta(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentToolStart(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentToolResult(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentSkillInvoked(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentCompactionStart(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentCompactionEnd(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentLanggraphInvoke(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentNodeCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAgentNative(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ === undefined) bad(out, `${at}.seq`, 'is required');
  else {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkCommandRunSubmit(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.submit') bad(out, `${at}.type`, 'must be "command.run.submit"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const revision_ = v.revision;
  if (revision_ === undefined) bad(out, `${at}.revision`, 'is required');
  else {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) bad(out, `${at}.revision`, FORMATS.sha256.says);
  }
  const input_ = v.input;
  if (input_ === undefined) bad(out, `${at}.input`, 'is required');
  const attachments_ = v.attachments;
  if (attachments_ !== undefined) {
    if (!Array.isArray(attachments_)) bad(out, `${at}.attachments`, 'must be a list');
    else for (const [i, item] of attachments_.entries()) {
      checkBlobRef(item, `${at}.attachments[${i}]`, out);
    }
  }
  const model_ = v.model;
  if (model_ !== undefined) {
    if (typeof model_ !== 'string') bad(out, `${at}.model`, 'must be a text');
  }
  const thinkingValue_ = v.thinkingValue;
  if (thinkingValue_ !== undefined) {
    if (typeof thinkingValue_ !== 'string') bad(out, `${at}.thinkingValue`, 'must be a text');
  }
  const stages_ = v.stages;
  if (stages_ !== undefined) {
    if (!isObject(stages_)) bad(out, `${at}.stages`, 'must be an object');
    else for (const [key, item] of Object.entries(stages_)) {
      if (typeof item !== 'string') bad(out, `${at}.stages.${key}`, 'must be a text');
    }
  }
  const metadata_ = v.metadata;
  if (metadata_ !== undefined) {
    if (!isObject(metadata_)) bad(out, `${at}.metadata`, 'must be an object');
  }
  const process_ = v.process;
  if (process_ !== undefined) {
    if (typeof process_ !== 'string') bad(out, `${at}.process`, 'must be a text');
  }
  const retryOf_ = v.retryOf;
  if (retryOf_ !== undefined) {
    if (typeof retryOf_ !== 'string' || !FORMATS.token.test(retryOf_)) bad(out, `${at}.retryOf`, FORMATS.token.says);
  }
  const submittedAt_ = v.submittedAt;
  if (submittedAt_ === undefined) bad(out, `${at}.submittedAt`, 'is required');
  else {
    if (typeof submittedAt_ !== 'string' || !FORMATS.timestamp.test(submittedAt_)) bad(out, `${at}.submittedAt`, FORMATS.timestamp.says);
  }
  const parent_ = v.parent;
  if (parent_ !== undefined) {
    checkParentRef(parent_, `${at}.parent`, out);
  }
  const traceparent_ = v.traceparent;
  if (traceparent_ !== undefined) {
    if (typeof traceparent_ !== 'string') bad(out, `${at}.traceparent`, 'must be a text');
  }
  const fork_ = v.fork;
  if (fork_ !== undefined) {
    checkForkRef(fork_, `${at}.fork`, out);
  }
}

export function checkCommandRunCancel(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.cancel') bad(out, `${at}.type`, 'must be "command.run.cancel"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
}

export function checkCommandRunAnswer(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.answer') bad(out, `${at}.type`, 'must be "command.run.answer"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const answer_ = v.answer;
  if (answer_ === undefined) bad(out, `${at}.answer`, 'is required');
  const error_ = v.error;
  if (error_ !== undefined) {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const answeredBy_ = v.answeredBy;
  if (answeredBy_ !== undefined) {
    if (typeof answeredBy_ !== 'string') bad(out, `${at}.answeredBy`, 'must be a text');
  }
}

export function checkCommandRunPause(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.pause') bad(out, `${at}.type`, 'must be "command.run.pause"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
}

export function checkCommandRunResume(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.resume') bad(out, `${at}.type`, 'must be "command.run.resume"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
}

export function checkCommandRunHalt(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.halt') bad(out, `${at}.type`, 'must be "command.run.halt"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
}

export function checkCommandRunAssign(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.run.assign') bad(out, `${at}.type`, 'must be "command.run.assign"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const process_ = v.process;
  if (process_ === undefined) bad(out, `${at}.process`, 'is required');
  else {
    if (!isText(process_)) bad(out, `${at}.process`, 'must be a text that is not blank');
  }
  const force_ = v.force;
  if (force_ !== undefined) {
    if (typeof force_ !== 'boolean') bad(out, `${at}.force`, 'must be true or false');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
}

export function checkCommandEffectCancel(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.effect.cancel') bad(out, `${at}.type`, 'must be "command.effect.cancel"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
}

export function checkCommandEffectInvalidate(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.effect.invalidate') bad(out, `${at}.type`, 'must be "command.effect.invalidate"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
}

export function checkCommandApprovalResolve(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.approval.resolve') bad(out, `${at}.type`, 'must be "command.approval.resolve"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) bad(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) bad(out, `${at}.approvalId`, FORMATS.token.says);
  }
  const decision_ = v.decision;
  if (decision_ === undefined) bad(out, `${at}.decision`, 'is required');
  else {
    if (decision_ !== 'approved' && decision_ !== 'denied') bad(out, `${at}.decision`, 'must be one of approved, denied');
  }
  const decidedBy_ = v.decidedBy;
  if (decidedBy_ === undefined) bad(out, `${at}.decidedBy`, 'is required');
  else {
    if (!isText(decidedBy_)) bad(out, `${at}.decidedBy`, 'must be a text that is not blank');
  }
  const comment_ = v.comment;
  if (comment_ !== undefined) {
    if (typeof comment_ !== 'string') bad(out, `${at}.comment`, 'must be a text');
  }
}

export function checkCommandSignal(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'command.signal') bad(out, `${at}.type`, 'must be "command.signal"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const name_ = v.name;
  if (name_ === undefined) bad(out, `${at}.name`, 'is required');
  else {
    if (!isText(name_)) bad(out, `${at}.name`, 'must be a text that is not blank');
  }
}

export function checkTimerDue(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'timer.due') bad(out, `${at}.type`, 'must be "timer.due"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const timer_ = v.timer;
  if (timer_ === undefined) bad(out, `${at}.timer`, 'is required');
  else {
    if (timer_ !== 'start' && timer_ !== 'run' && timer_ !== 'wake' && timer_ !== 'expiry' && timer_ !== 'grace' && timer_ !== 'retry') bad(out, `${at}.timer`, 'must be one of start, run, wake, expiry, grace, retry');
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkEffectProgress(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'effect.progress') bad(out, `${at}.type`, 'must be "effect.progress"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const percent_ = v.percent;
  if (percent_ !== undefined) {
    if (!Number.isFinite(percent_) || (percent_ as number) < 0 || (percent_ as number) > 100) bad(out, `${at}.percent`, 'must be a number, at least 0, at most 100');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
}

export function checkErrorInfo(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const code_ = v.code;
  if (code_ === undefined) bad(out, `${at}.code`, 'is required');
  else {
    if (!isText(code_)) bad(out, `${at}.code`, 'must be a text that is not blank');
  }
  const message_ = v.message;
  if (message_ === undefined) bad(out, `${at}.message`, 'is required');
  else {
    if (typeof message_ !== 'string') bad(out, `${at}.message`, 'must be a text');
  }
  const path_ = v.path;
  if (path_ !== undefined) {
    if (typeof path_ !== 'string') bad(out, `${at}.path`, 'must be a text');
  }
  const hint_ = v.hint;
  if (hint_ !== undefined) {
    if (typeof hint_ !== 'string') bad(out, `${at}.hint`, 'must be a text');
  }
  const name_ = v.name;
  if (name_ !== undefined) {
    if (typeof name_ !== 'string') bad(out, `${at}.name`, 'must be a text');
  }
}

export function checkDiagnostic(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const severity_ = v.severity;
  if (severity_ === undefined) bad(out, `${at}.severity`, 'is required');
  else {
    if (severity_ !== 'error' && severity_ !== 'warning') bad(out, `${at}.severity`, 'must be one of error, warning');
  }
  const code_ = v.code;
  if (code_ === undefined) bad(out, `${at}.code`, 'is required');
  else {
    if (!isText(code_)) bad(out, `${at}.code`, 'must be a text that is not blank');
  }
  const message_ = v.message;
  if (message_ === undefined) bad(out, `${at}.message`, 'is required');
  else {
    if (typeof message_ !== 'string') bad(out, `${at}.message`, 'must be a text');
  }
  const path_ = v.path;
  if (path_ !== undefined) {
    if (typeof path_ !== 'string') bad(out, `${at}.path`, 'must be a text');
  }
  const hint_ = v.hint;
  if (hint_ !== undefined) {
    if (typeof hint_ !== 'string') bad(out, `${at}.hint`, 'must be a text');
  }
  const file_ = v.file;
  if (file_ !== undefined) {
    if (typeof file_ !== 'string') bad(out, `${at}.file`, 'must be a text');
  }
  const line_ = v.line;
  if (line_ !== undefined) {
    if (!Number.isSafeInteger(line_) || (line_ as number) < 1) bad(out, `${at}.line`, 'must be an integer, at least 1');
  }
  const column_ = v.column;
  if (column_ !== undefined) {
    if (!Number.isSafeInteger(column_) || (column_ as number) < 1) bad(out, `${at}.column`, 'must be an integer, at least 1');
  }
  const source_ = v.source;
  if (source_ !== undefined) {
    if (typeof source_ !== 'string') bad(out, `${at}.source`, 'must be a text');
  }
  const alias_ = v.alias;
  if (alias_ !== undefined) {
    if (typeof alias_ !== 'string') bad(out, `${at}.alias`, 'must be a text');
  }
}

export function checkBlobRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const sha256_ = v.sha256;
  if (sha256_ === undefined) bad(out, `${at}.sha256`, 'is required');
  else {
    if (typeof sha256_ !== 'string' || !FORMATS.sha256.test(sha256_)) bad(out, `${at}.sha256`, FORMATS.sha256.says);
  }
  const size_ = v.size;
  if (size_ === undefined) bad(out, `${at}.size`, 'is required');
  else {
    if (!Number.isSafeInteger(size_) || (size_ as number) < 0) bad(out, `${at}.size`, 'must be an integer, at least 0');
  }
  const mediaType_ = v.mediaType;
  if (mediaType_ !== undefined) {
    if (typeof mediaType_ !== 'string') bad(out, `${at}.mediaType`, 'must be a text');
  }
  const name_ = v.name;
  if (name_ !== undefined) {
    if (typeof name_ !== 'string') bad(out, `${at}.name`, 'must be a text');
  }
}

export function checkUsage(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const provider_ = v.provider;
  if (provider_ !== undefined) {
    if (typeof provider_ !== 'string') bad(out, `${at}.provider`, 'must be a text');
  }
  const model_ = v.model;
  if (model_ !== undefined) {
    if (typeof model_ !== 'string') bad(out, `${at}.model`, 'must be a text');
  }
  const inputTokens_ = v.inputTokens;
  if (inputTokens_ === undefined) bad(out, `${at}.inputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(inputTokens_) || (inputTokens_ as number) < 0) bad(out, `${at}.inputTokens`, 'must be an integer, at least 0');
  }
  const cachedInputTokens_ = v.cachedInputTokens;
  if (cachedInputTokens_ !== undefined) {
    if (!Number.isSafeInteger(cachedInputTokens_) || (cachedInputTokens_ as number) < 0) bad(out, `${at}.cachedInputTokens`, 'must be an integer, at least 0');
  }
  const outputTokens_ = v.outputTokens;
  if (outputTokens_ === undefined) bad(out, `${at}.outputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(outputTokens_) || (outputTokens_ as number) < 0) bad(out, `${at}.outputTokens`, 'must be an integer, at least 0');
  }
  const costUsd_ = v.costUsd;
  if (costUsd_ !== undefined) {
    if (!Number.isFinite(costUsd_) || (costUsd_ as number) < 0) bad(out, `${at}.costUsd`, 'must be a number, at least 0');
  }
}

export function checkVerdict(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const outcome_ = v.outcome;
  if (outcome_ === undefined) bad(out, `${at}.outcome`, 'is required');
  else {
    if (outcome_ !== 'pass' && outcome_ !== 'fail') bad(out, `${at}.outcome`, 'must be one of pass, fail');
  }
  const score_ = v.score;
  if (score_ !== undefined) {
    if (!Number.isFinite(score_) || (score_ as number) < 0 || (score_ as number) > 1) bad(out, `${at}.score`, 'must be a number, at least 0, at most 1');
  }
  const reasons_ = v.reasons;
  if (reasons_ === undefined) bad(out, `${at}.reasons`, 'is required');
  else {
    if (!Array.isArray(reasons_)) bad(out, `${at}.reasons`, 'must be a list');
    else for (const [i, item] of reasons_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.reasons[${i}]`, 'must be a text');
    }
  }
}

export function checkArtifact(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) bad(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) bad(out, `${at}.id`, FORMATS.token.says);
  }
  const path_ = v.path;
  if (path_ === undefined) bad(out, `${at}.path`, 'is required');
  else {
    if (!isText(path_)) bad(out, `${at}.path`, 'must be a text that is not blank');
  }
  const mediaType_ = v.mediaType;
  if (mediaType_ === undefined) bad(out, `${at}.mediaType`, 'is required');
  else {
    if (!isText(mediaType_)) bad(out, `${at}.mediaType`, 'must be a text that is not blank');
  }
  const bytes_ = v.bytes;
  if (bytes_ === undefined) bad(out, `${at}.bytes`, 'is required');
  else {
    if (!Number.isSafeInteger(bytes_) || (bytes_ as number) < 0) bad(out, `${at}.bytes`, 'must be an integer, at least 0');
  }
  const sha256_ = v.sha256;
  if (sha256_ === undefined) bad(out, `${at}.sha256`, 'is required');
  else {
    if (typeof sha256_ !== 'string' || !FORMATS.sha256.test(sha256_)) bad(out, `${at}.sha256`, FORMATS.sha256.says);
  }
  const ref_ = v.ref;
  if (ref_ === undefined) bad(out, `${at}.ref`, 'is required');
  else {
    if (!isText(ref_)) bad(out, `${at}.ref`, 'must be a text that is not blank');
  }
}

export function checkApprovalSubject(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const kind_ = v.kind;
  if (kind_ === undefined) bad(out, `${at}.kind`, 'is required');
  else {
    if (kind_ !== 'tool' && kind_ !== 'breakpoint' && kind_ !== 'memory' && kind_ !== 'budget') bad(out, `${at}.kind`, 'must be one of tool, breakpoint, memory, budget');
  }
  const toolId_ = v.toolId;
  if (toolId_ !== undefined) {
    if (typeof toolId_ !== 'string') bad(out, `${at}.toolId`, 'must be a text');
  }
  const callId_ = v.callId;
  if (callId_ !== undefined) {
    if (typeof callId_ !== 'string') bad(out, `${at}.callId`, 'must be a text');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
}

export function checkMcpServerMapping(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const logicalId_ = v.logicalId;
  if (logicalId_ === undefined) bad(out, `${at}.logicalId`, 'is required');
  else {
    if (!isText(logicalId_)) bad(out, `${at}.logicalId`, 'must be a text that is not blank');
  }
  const physicalId_ = v.physicalId;
  if (physicalId_ === undefined) bad(out, `${at}.physicalId`, 'is required');
  else {
    if (!isText(physicalId_)) bad(out, `${at}.physicalId`, 'must be a text that is not blank');
  }
}

export function checkDegradedServer(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const serverId_ = v.serverId;
  if (serverId_ === undefined) bad(out, `${at}.serverId`, 'is required');
  else {
    if (!isText(serverId_)) bad(out, `${at}.serverId`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const missingToolIds_ = v.missingToolIds;
  if (missingToolIds_ === undefined) bad(out, `${at}.missingToolIds`, 'is required');
  else {
    if (!Array.isArray(missingToolIds_)) bad(out, `${at}.missingToolIds`, 'must be a list');
    else for (const [i, item] of missingToolIds_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.missingToolIds[${i}]`, 'must be a text');
    }
  }
  const required_ = v.required;
  if (required_ === undefined) bad(out, `${at}.required`, 'is required');
  else {
    if (typeof required_ !== 'boolean') bad(out, `${at}.required`, 'must be true or false');
  }
}

export function checkDeniedTool(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const toolId_ = v.toolId;
  if (toolId_ === undefined) bad(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) bad(out, `${at}.toolId`, 'must be a text that is not blank');
  }
  const policyId_ = v.policyId;
  if (policyId_ === undefined) bad(out, `${at}.policyId`, 'is required');
  else {
    if (!isText(policyId_)) bad(out, `${at}.policyId`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
}

export function checkProcessRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) bad(out, `${at}.id`, 'is required');
  else {
    if (!isText(id_)) bad(out, `${at}.id`, 'must be a text that is not blank');
  }
  const codeHash_ = v.codeHash;
  if (codeHash_ === undefined) bad(out, `${at}.codeHash`, 'is required');
  else {
    if (!isText(codeHash_)) bad(out, `${at}.codeHash`, 'must be a text that is not blank');
  }
}

export function checkParentRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const depth_ = v.depth;
  if (depth_ === undefined) bad(out, `${at}.depth`, 'is required');
  else {
    if (!Number.isSafeInteger(depth_) || (depth_ as number) < 1) bad(out, `${at}.depth`, 'must be an integer, at least 1');
  }
}

export function checkForkRef(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const at_ = v.at;
  if (at_ === undefined) bad(out, `${at}.at`, 'is required');
  else {
    if (!Number.isSafeInteger(at_) || (at_ as number) < 1) bad(out, `${at}.at`, 'must be an integer, at least 1');
  }
}

export function checkLimits(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const startWithinMs_ = v.startWithinMs;
  if (startWithinMs_ === undefined) bad(out, `${at}.startWithinMs`, 'is required');
  else {
    if (!Number.isSafeInteger(startWithinMs_) || (startWithinMs_ as number) < 1) bad(out, `${at}.startWithinMs`, 'must be an integer, at least 1');
  }
  const runForMs_ = v.runForMs;
  if (runForMs_ === undefined) bad(out, `${at}.runForMs`, 'is required');
  else {
    if (!Number.isSafeInteger(runForMs_) || (runForMs_ as number) < 1) bad(out, `${at}.runForMs`, 'must be an integer, at least 1');
  }
  const maxAttempts_ = v.maxAttempts;
  if (maxAttempts_ === undefined) bad(out, `${at}.maxAttempts`, 'is required');
  else {
    if (!Number.isSafeInteger(maxAttempts_) || (maxAttempts_ as number) < 1) bad(out, `${at}.maxAttempts`, 'must be an integer, at least 1');
  }
  const onUnknown_ = v.onUnknown;
  if (onUnknown_ === undefined) bad(out, `${at}.onUnknown`, 'is required');
  else {
    if (onUnknown_ !== 'retry' && onUnknown_ !== 'fail' && onUnknown_ !== 'ask') bad(out, `${at}.onUnknown`, 'must be one of retry, fail, ask');
  }
}

export function checkTurn(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const input_ = v.input;
  if (input_ === undefined) bad(out, `${at}.input`, 'is required');
  else {
    if (typeof input_ !== 'string') bad(out, `${at}.input`, 'must be a text');
  }
  const output_ = v.output;
  if (output_ === undefined) bad(out, `${at}.output`, 'is required');
  else {
    if (typeof output_ !== 'string') bad(out, `${at}.output`, 'must be a text');
  }
  const endedAt_ = v.endedAt;
  if (endedAt_ === undefined) bad(out, `${at}.endedAt`, 'is required');
  else {
    if (typeof endedAt_ !== 'string' || !FORMATS.timestamp.test(endedAt_)) bad(out, `${at}.endedAt`, FORMATS.timestamp.says);
  }
}

export function checkLastRun(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const status_ = v.status;
  if (status_ === undefined) bad(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'completed' && status_ !== 'failed' && status_ !== 'cancelled') bad(out, `${at}.status`, 'must be one of completed, failed, cancelled');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const endedAt_ = v.endedAt;
  if (endedAt_ === undefined) bad(out, `${at}.endedAt`, 'is required');
  else {
    if (typeof endedAt_ !== 'string' || !FORMATS.timestamp.test(endedAt_)) bad(out, `${at}.endedAt`, FORMATS.timestamp.says);
  }
}

export function checkContextOutcome(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) bad(out, `${at}.id`, 'is required');
  else {
    if (!isText(id_)) bad(out, `${at}.id`, 'must be a text that is not blank');
  }
  const status_ = v.status;
  if (status_ === undefined) bad(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'used' && status_ !== 'empty' && status_ !== 'timed_out' && status_ !== 'disabled' && status_ !== 'failed') bad(out, `${at}.status`, 'must be one of used, empty, timed_out, disabled, failed');
  }
  const tokens_ = v.tokens;
  if (tokens_ === undefined) bad(out, `${at}.tokens`, 'is required');
  else {
    if (!Number.isSafeInteger(tokens_) || (tokens_ as number) < 0) bad(out, `${at}.tokens`, 'must be an integer, at least 0');
  }
  const droppedTokens_ = v.droppedTokens;
  if (droppedTokens_ === undefined) bad(out, `${at}.droppedTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(droppedTokens_) || (droppedTokens_ as number) < 0) bad(out, `${at}.droppedTokens`, 'must be an integer, at least 0');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
}

export function checkSessionState(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const lastRequestId_ = v.lastRequestId;
  if (lastRequestId_ !== undefined) {
    if (typeof lastRequestId_ !== 'string' || !FORMATS.token.test(lastRequestId_)) bad(out, `${at}.lastRequestId`, FORMATS.token.says);
  }
  const revision_ = v.revision;
  if (revision_ !== undefined) {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) bad(out, `${at}.revision`, FORMATS.sha256.says);
  }
  const tree_ = v.tree;
  if (tree_ !== undefined) {
    if (typeof tree_ !== 'string') bad(out, `${at}.tree`, 'must be a text');
  }
  const harnessSessions_ = v.harnessSessions;
  if (harnessSessions_ !== undefined) {
    if (!isObject(harnessSessions_)) bad(out, `${at}.harnessSessions`, 'must be an object');
    else for (const [key, item] of Object.entries(harnessSessions_)) {
      if (typeof item !== 'string') bad(out, `${at}.harnessSessions.${key}`, 'must be a text');
    }
  }
  const turns_ = v.turns;
  if (turns_ !== undefined) {
    if (!Array.isArray(turns_)) bad(out, `${at}.turns`, 'must be a list');
    else for (const [i, item] of turns_.entries()) {
      checkTurn(item, `${at}.turns[${i}]`, out);
    }
  }
  const compactionBoundary_ = v.compactionBoundary;
  if (compactionBoundary_ !== undefined) {
    if (typeof compactionBoundary_ !== 'string') bad(out, `${at}.compactionBoundary`, 'must be a text');
  }
  const lastRun_ = v.lastRun;
  if (lastRun_ !== undefined) {
    checkLastRun(lastRun_, `${at}.lastRun`, out);
  }
}

export function checkControlDirectiveEmitted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'control.directive.emitted') bad(out, `${at}.type`, 'must be "control.directive.emitted"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const schemaVersion_ = v.schemaVersion;
  if (schemaVersion_ === undefined) bad(out, `${at}.schemaVersion`, 'is required');
  else {
    if (!Number.isSafeInteger(schemaVersion_) || (schemaVersion_ as number) < 1) bad(out, `${at}.schemaVersion`, 'must be an integer, at least 1');
  }
  const targetType_ = v.targetType;
  if (targetType_ === undefined) bad(out, `${at}.targetType`, 'is required');
  else {
    if (targetType_ !== 'session' && targetType_ !== 'execution' && targetType_ !== 'lineage' && targetType_ !== 'agent_process' && targetType_ !== 'contract' && targetType_ !== 'execution_node') bad(out, `${at}.targetType`, 'must be one of session, execution, lineage, agent_process, contract, execution_node');
  }
  const targetId_ = v.targetId;
  if (targetId_ === undefined) bad(out, `${at}.targetId`, 'is required');
  else {
    if (!isText(targetId_)) bad(out, `${at}.targetId`, 'must be a text that is not blank');
  }
  const directive_ = v.directive;
  if (directive_ === undefined) bad(out, `${at}.directive`, 'is required');
  else {
    if (directive_ !== 'continue' && directive_ !== 'evaluate' && directive_ !== 'evolve' && directive_ !== 'unstuck' && directive_ !== 'retry' && directive_ !== 'compact' && directive_ !== 'wait' && directive_ !== 'cancel' && directive_ !== 'converge') bad(out, `${at}.directive`, 'must be one of continue, evaluate, evolve, unstuck, retry, compact, wait, cancel, converge');
  }
  const isTerminal_ = v.isTerminal;
  if (isTerminal_ === undefined) bad(out, `${at}.isTerminal`, 'is required');
  else {
    if (typeof isTerminal_ !== 'boolean') bad(out, `${at}.isTerminal`, 'must be true or false');
  }
  const emittedBy_ = v.emittedBy;
  if (emittedBy_ === undefined) bad(out, `${at}.emittedBy`, 'is required');
  else {
    if (!isText(emittedBy_)) bad(out, `${at}.emittedBy`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (!isText(reason_)) bad(out, `${at}.reason`, 'must be a text that is not blank');
  }
  const phase_ = v.phase;
  if (phase_ !== undefined) {
    if (!isText(phase_)) bad(out, `${at}.phase`, 'must be a text that is not blank');
  }
  const executionId_ = v.executionId;
  if (executionId_ !== undefined) {
    if (!isText(executionId_)) bad(out, `${at}.executionId`, 'must be a text that is not blank');
  }
  const lineageId_ = v.lineageId;
  if (lineageId_ !== undefined) {
    if (!isText(lineageId_)) bad(out, `${at}.lineageId`, 'must be a text that is not blank');
  }
  const generationNumber_ = v.generationNumber;
  if (generationNumber_ !== undefined) {
    if (!Number.isSafeInteger(generationNumber_) || (generationNumber_ as number) < 1) bad(out, `${at}.generationNumber`, 'must be an integer, at least 1');
  }
  const contextSnapshotId_ = v.contextSnapshotId;
  if (contextSnapshotId_ !== undefined) {
    if (!isText(contextSnapshotId_)) bad(out, `${at}.contextSnapshotId`, 'must be a text that is not blank');
  }
  const parentDirectiveId_ = v.parentDirectiveId;
  if (parentDirectiveId_ !== undefined) {
    if (!isText(parentDirectiveId_)) bad(out, `${at}.parentDirectiveId`, 'must be a text that is not blank');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const extra_ = v.extra;
  if (extra_ !== undefined) {
    if (!isObject(extra_)) bad(out, `${at}.extra`, 'must be an object');
  }
}

export function checkJournalCommit(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const entries_ = v.entries;
  if (entries_ === undefined) bad(out, `${at}.entries`, 'is required');
  else {
    if (!Array.isArray(entries_)) bad(out, `${at}.entries`, 'must be a list');
    else for (const [i, item] of entries_.entries()) {
      checkJournalEntry(item, `${at}.entries[${i}]`, out);
    }
  }
  const epoch_ = v.epoch;
  if (epoch_ === undefined) bad(out, `${at}.epoch`, 'is required');
  else {
    if (!Number.isSafeInteger(epoch_) || (epoch_ as number) < 0) bad(out, `${at}.epoch`, 'must be an integer, at least 0');
  }
}

export function checkJournalEntry(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const version_ = v.version;
  if (version_ === undefined) bad(out, `${at}.version`, 'is required');
  else {
    if (!Number.isSafeInteger(version_) || (version_ as number) < 1) bad(out, `${at}.version`, 'must be an integer, at least 1');
  }
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (!isText(type_)) bad(out, `${at}.type`, 'must be a text that is not blank');
  }
  const recordedAt_ = v.recordedAt;
  if (recordedAt_ === undefined) bad(out, `${at}.recordedAt`, 'is required');
  else {
    if (typeof recordedAt_ !== 'string' || !FORMATS.timestamp.test(recordedAt_)) bad(out, `${at}.recordedAt`, FORMATS.timestamp.says);
  }
  const data_ = v.data;
  if (data_ === undefined) bad(out, `${at}.data`, 'is required');
  else {
    if (!isObject(data_)) bad(out, `${at}.data`, 'must be an object');
  }
  const prev_ = v.prev;
  if (prev_ === undefined) bad(out, `${at}.prev`, 'is required');
  else {
    if (typeof prev_ !== 'string') bad(out, `${at}.prev`, 'must be a text');
  }
  const hash_ = v.hash;
  if (hash_ === undefined) bad(out, `${at}.hash`, 'is required');
  else {
    if (typeof hash_ !== 'string' || !FORMATS.sha256.test(hash_)) bad(out, `${at}.hash`, FORMATS.sha256.says);
  }
}

export function checkEntryRunCreated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const revision_ = v.revision;
  if (revision_ === undefined) bad(out, `${at}.revision`, 'is required');
  else {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) bad(out, `${at}.revision`, FORMATS.sha256.says);
  }
  const process_ = v.process;
  if (process_ === undefined) bad(out, `${at}.process`, 'is required');
  else {
    checkProcessRef(process_, `${at}.process`, out);
  }
  const inputs_ = v.inputs;
  if (inputs_ === undefined) bad(out, `${at}.inputs`, 'is required');
  const session_ = v.session;
  if (session_ === undefined) bad(out, `${at}.session`, 'is required');
  else {
    checkSessionState(session_, `${at}.session`, out);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
  const retryOf_ = v.retryOf;
  if (retryOf_ !== undefined) {
    if (typeof retryOf_ !== 'string' || !FORMATS.token.test(retryOf_)) bad(out, `${at}.retryOf`, FORMATS.token.says);
  }
  const forkedFrom_ = v.forkedFrom;
  if (forkedFrom_ !== undefined) {
    if (!isObject(forkedFrom_)) bad(out, `${at}.forkedFrom`, 'must be an object');
  }
  const metadata_ = v.metadata;
  if (metadata_ !== undefined) {
    if (!isObject(metadata_)) bad(out, `${at}.metadata`, 'must be an object');
  }
  const parent_ = v.parent;
  if (parent_ !== undefined) {
    checkParentRef(parent_, `${at}.parent`, out);
  }
  const traceparent_ = v.traceparent;
  if (traceparent_ !== undefined) {
    if (typeof traceparent_ !== 'string') bad(out, `${at}.traceparent`, 'must be a text');
  }
  const assignBy_ = v.assignBy;
  if (assignBy_ !== undefined) {
    if (typeof assignBy_ !== 'string' || !FORMATS.timestamp.test(assignBy_)) bad(out, `${at}.assignBy`, FORMATS.timestamp.says);
  }
  const inputsRef_ = v.inputsRef;
  if (inputsRef_ !== undefined) {
    checkBlobRef(inputsRef_, `${at}.inputsRef`, out);
  }
}

export function checkEntryProcessAssigned(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const process_ = v.process;
  if (process_ === undefined) bad(out, `${at}.process`, 'is required');
  else {
    checkProcessRef(process_, `${at}.process`, out);
  }
  const previous_ = v.previous;
  if (previous_ !== undefined) {
    checkProcessRef(previous_, `${at}.previous`, out);
  }
  const force_ = v.force;
  if (force_ !== undefined) {
    if (typeof force_ !== 'boolean') bad(out, `${at}.force`, 'must be true or false');
  }
  const metadata_ = v.metadata;
  if (metadata_ !== undefined) {
    if (!isObject(metadata_)) bad(out, `${at}.metadata`, 'must be an object');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (typeof idempotencyKey_ !== 'string') bad(out, `${at}.idempotencyKey`, 'must be a text');
  }
  const inputsRef_ = v.inputsRef;
  if (inputsRef_ !== undefined) {
    checkBlobRef(inputsRef_, `${at}.inputsRef`, out);
  }
}

export function checkEntryProcessCodeChanged(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const from_ = v.from;
  if (from_ === undefined) bad(out, `${at}.from`, 'is required');
  else {
    if (!isText(from_)) bad(out, `${at}.from`, 'must be a text that is not blank');
  }
  const to_ = v.to;
  if (to_ === undefined) bad(out, `${at}.to`, 'is required');
  else {
    if (!isText(to_)) bad(out, `${at}.to`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
}

export function checkEntryProcessLog(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
  const message_ = v.message;
  if (message_ === undefined) bad(out, `${at}.message`, 'is required');
}

export function checkEntryEffectProgress(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const percent_ = v.percent;
  if (percent_ !== undefined) {
    if (!Number.isFinite(percent_) || (percent_ as number) < 0 || (percent_ as number) > 100) bad(out, `${at}.percent`, 'must be a number, at least 0, at most 100');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
}

export function checkEntryCostTracked(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const usage_ = v.usage;
  if (usage_ === undefined) bad(out, `${at}.usage`, 'is required');
  else {
    checkUsage(usage_, `${at}.usage`, out);
  }
}

export function checkEntryEffectRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) bad(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) bad(out, `${at}.kind`, 'must be a text that is not blank');
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const key_ = v.key;
  if (key_ === undefined) bad(out, `${at}.key`, 'is required');
  else {
    if (!isText(key_)) bad(out, `${at}.key`, 'must be a text that is not blank');
  }
  const argsHash_ = v.argsHash;
  if (argsHash_ === undefined) bad(out, `${at}.argsHash`, 'is required');
  else {
    if (typeof argsHash_ !== 'string' || !FORMATS.sha256.test(argsHash_)) bad(out, `${at}.argsHash`, FORMATS.sha256.says);
  }
  const request_ = v.request;
  if (request_ === undefined) bad(out, `${at}.request`, 'is required');
  else {
    if (!isObject(request_)) bad(out, `${at}.request`, 'must be an object');
  }
  const limits_ = v.limits;
  if (limits_ === undefined) bad(out, `${at}.limits`, 'is required');
  else {
    checkLimits(limits_, `${at}.limits`, out);
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
  const requestRef_ = v.requestRef;
  if (requestRef_ !== undefined) {
    checkBlobRef(requestRef_, `${at}.requestRef`, out);
  }
}

export function checkEntryEffectStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ !== undefined) {
    if (typeof hostId_ !== 'string') bad(out, `${at}.hostId`, 'must be a text');
  }
  const value_ = v.value;
  if (value_ !== undefined) {
    if (!isObject(value_)) bad(out, `${at}.value`, 'must be an object');
  }
}

export function checkEntryEffectWaiting(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (reason_ !== 'user' && reason_ !== 'approval' && reason_ !== 'budget') bad(out, `${at}.reason`, 'must be one of user, approval, budget');
  }
  const question_ = v.question;
  if (question_ === undefined) bad(out, `${at}.question`, 'is required');
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ !== undefined) {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) bad(out, `${at}.expiresAt`, FORMATS.timestamp.says);
  }
}

export function checkEntryEffectAnswered(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const answer_ = v.answer;
  if (answer_ === undefined) bad(out, `${at}.answer`, 'is required');
}

export function checkEntryEffectAttemptFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const outcome_ = v.outcome;
  if (outcome_ === undefined) bad(out, `${at}.outcome`, 'is required');
  else {
    if (outcome_ !== 'failed' && outcome_ !== 'unknown') bad(out, `${at}.outcome`, 'must be one of failed, unknown');
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const retryable_ = v.retryable;
  if (retryable_ === undefined) bad(out, `${at}.retryable`, 'is required');
  else {
    if (typeof retryable_ !== 'boolean') bad(out, `${at}.retryable`, 'must be true or false');
  }
  const usage_ = v.usage;
  if (usage_ !== undefined) {
    checkUsage(usage_, `${at}.usage`, out);
  }
  const nextAttempt_ = v.nextAttempt;
  if (nextAttempt_ !== undefined) {
    if (!Number.isSafeInteger(nextAttempt_) || (nextAttempt_ as number) < 2) bad(out, `${at}.nextAttempt`, 'must be an integer, at least 2');
  }
  const nextRequest_ = v.nextRequest;
  if (nextRequest_ !== undefined) {
    if (!isObject(nextRequest_)) bad(out, `${at}.nextRequest`, 'must be an object');
  }
  const nextDirective_ = v.nextDirective;
  if (nextDirective_ !== undefined) {
    if (nextDirective_ !== 'retry' && nextDirective_ !== 'unstuck') bad(out, `${at}.nextDirective`, 'must be one of retry, unstuck');
  }
}

export function checkEntryEffectResolved(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const status_ = v.status;
  if (status_ === undefined) bad(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'ok' && status_ !== 'error') bad(out, `${at}.status`, 'must be one of ok, error');
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
    if (typeof retryable_ !== 'boolean') bad(out, `${at}.retryable`, 'must be true or false');
  }
}

export function checkEntryEffectCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const confirmed_ = v.confirmed;
  if (confirmed_ === undefined) bad(out, `${at}.confirmed`, 'is required');
  else {
    if (typeof confirmed_ !== 'boolean') bad(out, `${at}.confirmed`, 'must be true or false');
  }
}

export function checkEntrySignalReceived(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const name_ = v.name;
  if (name_ === undefined) bad(out, `${at}.name`, 'is required');
  else {
    if (!isText(name_)) bad(out, `${at}.name`, 'must be a text that is not blank');
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ !== undefined) {
    if (typeof idempotencyKey_ !== 'string') bad(out, `${at}.idempotencyKey`, 'must be a text');
  }
}

export function checkEntryEffectInvalidated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
}

export function checkEntryApprovalResolved(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) bad(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) bad(out, `${at}.approvalId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const decision_ = v.decision;
  if (decision_ === undefined) bad(out, `${at}.decision`, 'is required');
  else {
    if (decision_ !== 'approved' && decision_ !== 'denied' && decision_ !== 'expired') bad(out, `${at}.decision`, 'must be one of approved, denied, expired');
  }
  const decidedBy_ = v.decidedBy;
  if (decidedBy_ === undefined) bad(out, `${at}.decidedBy`, 'is required');
  else {
    if (typeof decidedBy_ !== 'string') bad(out, `${at}.decidedBy`, 'must be a text');
  }
  const comment_ = v.comment;
  if (comment_ !== undefined) {
    if (typeof comment_ !== 'string') bad(out, `${at}.comment`, 'must be a text');
  }
}

export function checkEntryBudgetExceeded(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const budget_ = v.budget;
  if (budget_ === undefined) bad(out, `${at}.budget`, 'is required');
  else {
    if (!isText(budget_)) bad(out, `${at}.budget`, 'must be a text that is not blank');
  }
  const limit_ = v.limit;
  if (limit_ === undefined) bad(out, `${at}.limit`, 'is required');
  else {
    if (!Number.isFinite(limit_)) bad(out, `${at}.limit`, 'must be a number');
  }
  const used_ = v.used;
  if (used_ === undefined) bad(out, `${at}.used`, 'is required');
  else {
    if (!Number.isFinite(used_)) bad(out, `${at}.used`, 'must be a number');
  }
  const action_ = v.action;
  if (action_ === undefined) bad(out, `${at}.action`, 'is required');
  else {
    if (action_ !== 'pause' && action_ !== 'fail') bad(out, `${at}.action`, 'must be one of pause, fail');
  }
}

export function checkEntryProcessRuntimeError(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ === undefined) bad(out, `${at}.expiresAt`, 'is required');
  else {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) bad(out, `${at}.expiresAt`, FORMATS.timestamp.says);
  }
}

export function checkEntryRunPaused(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
}

export function checkEntryRunResumed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
}

export function checkEntryRunCancelRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const requestedBy_ = v.requestedBy;
  if (requestedBy_ !== undefined) {
    if (typeof requestedBy_ !== 'string') bad(out, `${at}.requestedBy`, 'must be a text');
  }
  const idempotencyKey_ = v.idempotencyKey;
  if (idempotencyKey_ === undefined) bad(out, `${at}.idempotencyKey`, 'is required');
  else {
    if (!isText(idempotencyKey_)) bad(out, `${at}.idempotencyKey`, 'must be a text that is not blank');
  }
}

export function checkEntryRunCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const output_ = v.output;
  if (output_ === undefined) bad(out, `${at}.output`, 'is required');
  const outputRef_ = v.outputRef;
  if (outputRef_ !== undefined) {
    checkBlobRef(outputRef_, `${at}.outputRef`, out);
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'told') bad(out, `${at}.sealed`, 'must be one of told');
  }
}

export function checkEntryRunFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'failed' && sealed_ !== 'told') bad(out, `${at}.sealed`, 'must be one of failed, told');
  }
}

export function checkEntryRunCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'told') bad(out, `${at}.sealed`, 'must be one of told');
  }
}

export function checkEntryRunHalted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const sealed_ = v.sealed;
  if (sealed_ !== undefined) {
    if (sealed_ !== 'told') bad(out, `${at}.sealed`, 'must be one of told');
  }
}

export function checkEntryRunArchived(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const archiveRef_ = v.archiveRef;
  if (archiveRef_ === undefined) bad(out, `${at}.archiveRef`, 'is required');
  else {
    checkBlobRef(archiveRef_, `${at}.archiveRef`, out);
  }
  const headHash_ = v.headHash;
  if (headHash_ === undefined) bad(out, `${at}.headHash`, 'is required');
  else {
    if (typeof headHash_ !== 'string' || !FORMATS.sha256.test(headHash_)) bad(out, `${at}.headHash`, FORMATS.sha256.says);
  }
  const terminalType_ = v.terminalType;
  if (terminalType_ === undefined) bad(out, `${at}.terminalType`, 'is required');
  else {
    if (!isText(terminalType_)) bad(out, `${at}.terminalType`, 'must be a text that is not blank');
  }
}

export function checkRuntimeApprovalRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.approval.requested') bad(out, `${at}.type`, 'must be "runtime.approval.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) bad(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) bad(out, `${at}.approvalId`, FORMATS.token.says);
  }
  const subject_ = v.subject;
  if (subject_ === undefined) bad(out, `${at}.subject`, 'is required');
  else {
    checkApprovalSubject(subject_, `${at}.subject`, out);
  }
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ === undefined) bad(out, `${at}.expiresAt`, 'is required');
  else {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) bad(out, `${at}.expiresAt`, FORMATS.timestamp.says);
  }
}

export function checkRuntimeApprovalResolved(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.approval.resolved') bad(out, `${at}.type`, 'must be "runtime.approval.resolved"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ === undefined) bad(out, `${at}.approvalId`, 'is required');
  else {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) bad(out, `${at}.approvalId`, FORMATS.token.says);
  }
  const decision_ = v.decision;
  if (decision_ === undefined) bad(out, `${at}.decision`, 'is required');
  else {
    if (decision_ !== 'approved' && decision_ !== 'denied' && decision_ !== 'expired') bad(out, `${at}.decision`, 'must be one of approved, denied, expired');
  }
  const decidedBy_ = v.decidedBy;
  if (decidedBy_ === undefined) bad(out, `${at}.decidedBy`, 'is required');
  else {
    if (typeof decidedBy_ !== 'string') bad(out, `${at}.decidedBy`, 'must be a text');
  }
  const comment_ = v.comment;
  if (comment_ !== undefined) {
    if (typeof comment_ !== 'string') bad(out, `${at}.comment`, 'must be a text');
  }
}

export function checkRuntimeUsageRecorded(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.usage.recorded') bad(out, `${at}.type`, 'must be "runtime.usage.recorded"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const provider_ = v.provider;
  if (provider_ === undefined) bad(out, `${at}.provider`, 'is required');
  else {
    if (typeof provider_ !== 'string') bad(out, `${at}.provider`, 'must be a text');
  }
  const model_ = v.model;
  if (model_ === undefined) bad(out, `${at}.model`, 'is required');
  else {
    if (typeof model_ !== 'string') bad(out, `${at}.model`, 'must be a text');
  }
  const inputTokens_ = v.inputTokens;
  if (inputTokens_ === undefined) bad(out, `${at}.inputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(inputTokens_) || (inputTokens_ as number) < 0) bad(out, `${at}.inputTokens`, 'must be an integer, at least 0');
  }
  const cachedInputTokens_ = v.cachedInputTokens;
  if (cachedInputTokens_ === undefined) bad(out, `${at}.cachedInputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(cachedInputTokens_) || (cachedInputTokens_ as number) < 0) bad(out, `${at}.cachedInputTokens`, 'must be an integer, at least 0');
  }
  const outputTokens_ = v.outputTokens;
  if (outputTokens_ === undefined) bad(out, `${at}.outputTokens`, 'is required');
  else {
    if (!Number.isSafeInteger(outputTokens_) || (outputTokens_ as number) < 0) bad(out, `${at}.outputTokens`, 'must be an integer, at least 0');
  }
  const costUsd_ = v.costUsd;
  if (costUsd_ !== undefined) {
    if (!Number.isFinite(costUsd_) || (costUsd_ as number) < 0) bad(out, `${at}.costUsd`, 'must be a number, at least 0');
  }
}

export function checkRuntimeBudgetExceeded(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.budget.exceeded') bad(out, `${at}.type`, 'must be "runtime.budget.exceeded"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const budget_ = v.budget;
  if (budget_ === undefined) bad(out, `${at}.budget`, 'is required');
  else {
    if (!isText(budget_)) bad(out, `${at}.budget`, 'must be a text that is not blank');
  }
  const limit_ = v.limit;
  if (limit_ === undefined) bad(out, `${at}.limit`, 'is required');
  else {
    if (!Number.isFinite(limit_)) bad(out, `${at}.limit`, 'must be a number');
  }
  const used_ = v.used;
  if (used_ === undefined) bad(out, `${at}.used`, 'is required');
  else {
    if (!Number.isFinite(used_)) bad(out, `${at}.used`, 'must be a number');
  }
  const action_ = v.action;
  if (action_ === undefined) bad(out, `${at}.action`, 'is required');
  else {
    if (action_ !== 'pause' && action_ !== 'fail') bad(out, `${at}.action`, 'must be one of pause, fail');
  }
}

export function checkRuntimeHarnessAvailable(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.harness.available') bad(out, `${at}.type`, 'must be "runtime.harness.available"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) bad(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) bad(out, `${at}.hostId`, 'must be a text that is not blank');
  }
  const version_ = v.version;
  if (version_ === undefined) bad(out, `${at}.version`, 'is required');
  else {
    if (typeof version_ !== 'string') bad(out, `${at}.version`, 'must be a text');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
}

export function checkRuntimeHarnessUnavailable(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.harness.unavailable') bad(out, `${at}.type`, 'must be "runtime.harness.unavailable"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) bad(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) bad(out, `${at}.hostId`, 'must be a text that is not blank');
  }
  const version_ = v.version;
  if (version_ === undefined) bad(out, `${at}.version`, 'is required');
  else {
    if (typeof version_ !== 'string') bad(out, `${at}.version`, 'must be a text');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
}

export function checkRuntimeMemoryLifecycle(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.lifecycle') bad(out, `${at}.type`, 'must be "runtime.memory.lifecycle"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const hook_ = v.hook;
  if (hook_ === undefined) bad(out, `${at}.hook`, 'is required');
  else {
    if (hook_ !== 'read-before-plan' && hook_ !== 'read-before-finalize' && hook_ !== 'write-after-run') bad(out, `${at}.hook`, 'must be one of read-before-plan, read-before-finalize, write-after-run');
  }
}

export function checkRuntimeMemoryRecallRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.recall.requested') bad(out, `${at}.type`, 'must be "runtime.memory.recall.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) bad(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) bad(out, `${at}.namespace`, 'must be a text that is not blank');
  }
  const query_ = v.query;
  if (query_ === undefined) bad(out, `${at}.query`, 'is required');
  else {
    if (typeof query_ !== 'string') bad(out, `${at}.query`, 'must be a text');
  }
}

export function checkRuntimeMemoryRecallCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.recall.completed') bad(out, `${at}.type`, 'must be "runtime.memory.recall.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) bad(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) bad(out, `${at}.namespace`, 'must be a text that is not blank');
  }
  const recordIds_ = v.recordIds;
  if (recordIds_ === undefined) bad(out, `${at}.recordIds`, 'is required');
  else {
    if (!Array.isArray(recordIds_)) bad(out, `${at}.recordIds`, 'must be a list');
    else for (const [i, item] of recordIds_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.recordIds[${i}]`, 'must be a text');
    }
  }
  const context_ = v.context;
  if (context_ === undefined) bad(out, `${at}.context`, 'is required');
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
}

export function checkRuntimeMemoryCandidateSubmitted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.candidate.submitted') bad(out, `${at}.type`, 'must be "runtime.memory.candidate.submitted"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const candidate_ = v.candidate;
  if (candidate_ === undefined) bad(out, `${at}.candidate`, 'is required');
  const decision_ = v.decision;
  if (decision_ === undefined) bad(out, `${at}.decision`, 'is required');
}

export function checkRuntimeMemoryApprovalRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.approval.requested') bad(out, `${at}.type`, 'must be "runtime.memory.approval.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const approval_ = v.approval;
  if (approval_ === undefined) bad(out, `${at}.approval`, 'is required');
}

export function checkRuntimeMemoryPluginStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.plugin.started') bad(out, `${at}.type`, 'must be "runtime.memory.plugin.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const memoryId_ = v.memoryId;
  if (memoryId_ === undefined) bad(out, `${at}.memoryId`, 'is required');
  else {
    if (!isText(memoryId_)) bad(out, `${at}.memoryId`, 'must be a text that is not blank');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) bad(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) bad(out, `${at}.provider`, 'must be a text that is not blank');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) bad(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) bad(out, `${at}.namespace`, 'must be a text that is not blank');
  }
}

export function checkRuntimeMemoryPluginCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.plugin.completed') bad(out, `${at}.type`, 'must be "runtime.memory.plugin.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const memoryId_ = v.memoryId;
  if (memoryId_ === undefined) bad(out, `${at}.memoryId`, 'is required');
  else {
    if (!isText(memoryId_)) bad(out, `${at}.memoryId`, 'must be a text that is not blank');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) bad(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) bad(out, `${at}.provider`, 'must be a text that is not blank');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) bad(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) bad(out, `${at}.namespace`, 'must be a text that is not blank');
  }
  const candidateCount_ = v.candidateCount;
  if (candidateCount_ === undefined) bad(out, `${at}.candidateCount`, 'is required');
  else {
    if (!Number.isSafeInteger(candidateCount_) || (candidateCount_ as number) < 0) bad(out, `${at}.candidateCount`, 'must be an integer, at least 0');
  }
}

export function checkRuntimeMemoryPluginFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.plugin.failed') bad(out, `${at}.type`, 'must be "runtime.memory.plugin.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const memoryId_ = v.memoryId;
  if (memoryId_ === undefined) bad(out, `${at}.memoryId`, 'is required');
  else {
    if (!isText(memoryId_)) bad(out, `${at}.memoryId`, 'must be a text that is not blank');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) bad(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) bad(out, `${at}.provider`, 'must be a text that is not blank');
  }
  const namespace_ = v.namespace;
  if (namespace_ === undefined) bad(out, `${at}.namespace`, 'is required');
  else {
    if (!isText(namespace_)) bad(out, `${at}.namespace`, 'must be a text that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeMemoryMaintenanceStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.maintenance.started') bad(out, `${at}.type`, 'must be "runtime.memory.maintenance.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const target_ = v.target;
  if (target_ === undefined) bad(out, `${at}.target`, 'is required');
  else {
    if (!isText(target_)) bad(out, `${at}.target`, 'must be a text that is not blank');
  }
}

export function checkRuntimeMemoryMaintenanceCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.maintenance.completed') bad(out, `${at}.type`, 'must be "runtime.memory.maintenance.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const target_ = v.target;
  if (target_ === undefined) bad(out, `${at}.target`, 'is required');
  else {
    if (!isText(target_)) bad(out, `${at}.target`, 'must be a text that is not blank');
  }
  const operationCount_ = v.operationCount;
  if (operationCount_ === undefined) bad(out, `${at}.operationCount`, 'is required');
  else {
    if (!Number.isSafeInteger(operationCount_) || (operationCount_ as number) < 0) bad(out, `${at}.operationCount`, 'must be an integer, at least 0');
  }
}

export function checkRuntimeMemoryMaintenanceFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.memory.maintenance.failed') bad(out, `${at}.type`, 'must be "runtime.memory.maintenance.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const target_ = v.target;
  if (target_ === undefined) bad(out, `${at}.target`, 'is required');
  else {
    if (!isText(target_)) bad(out, `${at}.target`, 'must be a text that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimePlanRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.plan.requested') bad(out, `${at}.type`, 'must be "runtime.plan.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const revision_ = v.revision;
  if (revision_ === undefined) bad(out, `${at}.revision`, 'is required');
  else {
    if (typeof revision_ !== 'string' || !FORMATS.sha256.test(revision_)) bad(out, `${at}.revision`, FORMATS.sha256.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimePlanCompiled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.plan.compiled') bad(out, `${at}.type`, 'must be "runtime.plan.compiled"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const planRef_ = v.planRef;
  if (planRef_ === undefined) bad(out, `${at}.planRef`, 'is required');
  else {
    checkBlobRef(planRef_, `${at}.planRef`, out);
  }
  const configChecksum_ = v.configChecksum;
  if (configChecksum_ === undefined) bad(out, `${at}.configChecksum`, 'is required');
  else {
    if (!isText(configChecksum_)) bad(out, `${at}.configChecksum`, 'must be a text that is not blank');
  }
  const inputsChecksum_ = v.inputsChecksum;
  if (inputsChecksum_ === undefined) bad(out, `${at}.inputsChecksum`, 'is required');
  else {
    if (typeof inputsChecksum_ !== 'string' || !FORMATS.sha256.test(inputsChecksum_)) bad(out, `${at}.inputsChecksum`, FORMATS.sha256.says);
  }
  const diagnostics_ = v.diagnostics;
  if (diagnostics_ === undefined) bad(out, `${at}.diagnostics`, 'is required');
  else {
    if (!Array.isArray(diagnostics_)) bad(out, `${at}.diagnostics`, 'must be a list');
    else for (const [i, item] of diagnostics_.entries()) {
      checkDiagnostic(item, `${at}.diagnostics[${i}]`, out);
    }
  }
  const pipeline_ = v.pipeline;
  if (pipeline_ !== undefined) {
    if (!isObject(pipeline_)) bad(out, `${at}.pipeline`, 'must be an object');
  }
  const runtimeProfile_ = v.runtimeProfile;
  if (runtimeProfile_ !== undefined) {
    if (!isObject(runtimeProfile_)) bad(out, `${at}.runtimeProfile`, 'must be an object');
  }
}

export function checkRuntimePlanRejected(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.plan.rejected') bad(out, `${at}.type`, 'must be "runtime.plan.rejected"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const diagnostics_ = v.diagnostics;
  if (diagnostics_ === undefined) bad(out, `${at}.diagnostics`, 'is required');
  else {
    if (!Array.isArray(diagnostics_)) bad(out, `${at}.diagnostics`, 'must be a list');
    else for (const [i, item] of diagnostics_.entries()) {
      checkDiagnostic(item, `${at}.diagnostics[${i}]`, out);
    }
  }
}

export function checkRuntimePrepareRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.prepare.requested') bad(out, `${at}.type`, 'must be "runtime.prepare.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const planRef_ = v.planRef;
  if (planRef_ === undefined) bad(out, `${at}.planRef`, 'is required');
  else {
    checkBlobRef(planRef_, `${at}.planRef`, out);
  }
  const iteration_ = v.iteration;
  if (iteration_ === undefined) bad(out, `${at}.iteration`, 'is required');
  else {
    if (!Number.isSafeInteger(iteration_) || (iteration_ as number) < 1) bad(out, `${at}.iteration`, 'must be an integer, at least 1');
  }
  const input_ = v.input;
  if (input_ === undefined) bad(out, `${at}.input`, 'is required');
  const context_ = v.context;
  if (context_ !== undefined) {
    if (!isObject(context_)) bad(out, `${at}.context`, 'must be an object');
  }
  const tree_ = v.tree;
  if (tree_ === undefined) bad(out, `${at}.tree`, 'is required');
  else {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) bad(out, `${at}.tree`, FORMATS.sha256.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimePrepareCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.prepare.completed') bad(out, `${at}.type`, 'must be "runtime.prepare.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const hostRequestRef_ = v.hostRequestRef;
  if (hostRequestRef_ === undefined) bad(out, `${at}.hostRequestRef`, 'is required');
  else {
    checkBlobRef(hostRequestRef_, `${at}.hostRequestRef`, out);
  }
  const snapshotRef_ = v.snapshotRef;
  if (snapshotRef_ === undefined) bad(out, `${at}.snapshotRef`, 'is required');
  else {
    checkBlobRef(snapshotRef_, `${at}.snapshotRef`, out);
  }
  const fingerprint_ = v.fingerprint;
  if (fingerprint_ === undefined) bad(out, `${at}.fingerprint`, 'is required');
  else {
    if (typeof fingerprint_ !== 'string' || !FORMATS.sha256.test(fingerprint_)) bad(out, `${at}.fingerprint`, FORMATS.sha256.says);
  }
  const timings_ = v.timings;
  if (timings_ === undefined) bad(out, `${at}.timings`, 'is required');
  else {
    if (!isObject(timings_)) bad(out, `${at}.timings`, 'must be an object');
    else for (const [key, item] of Object.entries(timings_)) {
      if (!Number.isFinite(item)) bad(out, `${at}.timings.${key}`, 'must be a number');
    }
  }
  const contexts_ = v.contexts;
  if (contexts_ !== undefined) {
    if (!Array.isArray(contexts_)) bad(out, `${at}.contexts`, 'must be a list');
    else for (const [i, item] of contexts_.entries()) {
      checkContextOutcome(item, `${at}.contexts[${i}]`, out);
    }
  }
  const warnings_ = v.warnings;
  if (warnings_ !== undefined) {
    if (!Array.isArray(warnings_)) bad(out, `${at}.warnings`, 'must be a list');
    else for (const [i, item] of warnings_.entries()) {
      checkDiagnostic(item, `${at}.warnings[${i}]`, out);
    }
  }
  const modelSource_ = v.modelSource;
  if (modelSource_ !== undefined) {
    if (modelSource_ !== 'request' && modelSource_ !== 'installation' && modelSource_ !== 'agent' && modelSource_ !== 'default') bad(out, `${at}.modelSource`, 'must be one of request, installation, agent, default');
  }
  const tree_ = v.tree;
  if (tree_ !== undefined) {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) bad(out, `${at}.tree`, FORMATS.sha256.says);
  }
}

export function checkRuntimePrepareFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.prepare.failed') bad(out, `${at}.type`, 'must be "runtime.prepare.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const problems_ = v.problems;
  if (problems_ !== undefined) {
    if (!Array.isArray(problems_)) bad(out, `${at}.problems`, 'must be a list');
    else for (const [i, item] of problems_.entries()) {
      checkErrorInfo(item, `${at}.problems[${i}]`, out);
    }
  }
}

export function checkRuntimeRequestStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.started') bad(out, `${at}.type`, 'must be "runtime.request.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
}

export function checkRuntimeRequestCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.completed') bad(out, `${at}.type`, 'must be "runtime.request.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const output_ = v.output;
  if (output_ === undefined) bad(out, `${at}.output`, 'is required');
  const halted_ = v.halted;
  if (halted_ !== undefined) {
    if (typeof halted_ !== 'boolean') bad(out, `${at}.halted`, 'must be true or false');
  }
}

export function checkRuntimeRequestFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.failed') bad(out, `${at}.type`, 'must be "runtime.request.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeRequestCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.cancelled') bad(out, `${at}.type`, 'must be "runtime.request.cancelled"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
}

export function checkRuntimeRequestWaiting(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.waiting') bad(out, `${at}.type`, 'must be "runtime.request.waiting"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (reason_ !== 'user' && reason_ !== 'approval' && reason_ !== 'breakpoint' && reason_ !== 'timer' && reason_ !== 'budget' && reason_ !== 'signal' && reason_ !== 'child' && reason_ !== 'operator' && reason_ !== 'process') bad(out, `${at}.reason`, 'must be one of user, approval, breakpoint, timer, budget, signal, child, operator, process');
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const expiresAt_ = v.expiresAt;
  if (expiresAt_ !== undefined) {
    if (typeof expiresAt_ !== 'string' || !FORMATS.timestamp.test(expiresAt_)) bad(out, `${at}.expiresAt`, FORMATS.timestamp.says);
  }
}

export function checkRuntimeRequestResumed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.request.resumed') bad(out, `${at}.type`, 'must be "runtime.request.resumed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
}

export function checkRuntimeExecutionContractFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.execution.contract.failed') bad(out, `${at}.type`, 'must be "runtime.execution.contract.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const missingEvidenceTools_ = v.missingEvidenceTools;
  if (missingEvidenceTools_ !== undefined) {
    if (!Array.isArray(missingEvidenceTools_)) bad(out, `${at}.missingEvidenceTools`, 'must be a list');
    else for (const [i, item] of missingEvidenceTools_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.missingEvidenceTools[${i}]`, 'must be a text');
    }
  }
}

export function checkRuntimeStageRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.requested') bad(out, `${at}.type`, 'must be "runtime.stage.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostRequestRef_ = v.hostRequestRef;
  if (hostRequestRef_ === undefined) bad(out, `${at}.hostRequestRef`, 'is required');
  else {
    checkBlobRef(hostRequestRef_, `${at}.hostRequestRef`, out);
  }
  const deadline_ = v.deadline;
  if (deadline_ === undefined) bad(out, `${at}.deadline`, 'is required');
  else {
    if (typeof deadline_ !== 'string' || !FORMATS.timestamp.test(deadline_)) bad(out, `${at}.deadline`, FORMATS.timestamp.says);
  }
  const limits_ = v.limits;
  if (limits_ === undefined) bad(out, `${at}.limits`, 'is required');
  else {
    checkLimits(limits_, `${at}.limits`, out);
  }
  const tree_ = v.tree;
  if (tree_ === undefined) bad(out, `${at}.tree`, 'is required');
  else {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) bad(out, `${at}.tree`, FORMATS.sha256.says);
  }
  const harnessSessionId_ = v.harnessSessionId;
  if (harnessSessionId_ !== undefined) {
    if (typeof harnessSessionId_ !== 'string') bad(out, `${at}.harnessSessionId`, 'must be a text');
  }
  const runtimeSource_ = v.runtimeSource;
  if (runtimeSource_ !== undefined) {
    if (runtimeSource_ !== 'request' && runtimeSource_ !== 'stage' && runtimeSource_ !== 'default' && runtimeSource_ !== 'fallback') bad(out, `${at}.runtimeSource`, 'must be one of request, stage, default, fallback');
  }
}

export function checkRuntimeStageStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.started') bad(out, `${at}.type`, 'must be "runtime.stage.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) bad(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) bad(out, `${at}.hostId`, 'must be a text that is not blank');
  }
  const harnessSessionId_ = v.harnessSessionId;
  if (harnessSessionId_ !== undefined) {
    if (typeof harnessSessionId_ !== 'string') bad(out, `${at}.harnessSessionId`, 'must be a text');
  }
  const mcpServerMappings_ = v.mcpServerMappings;
  if (mcpServerMappings_ === undefined) bad(out, `${at}.mcpServerMappings`, 'is required');
  else {
    if (!Array.isArray(mcpServerMappings_)) bad(out, `${at}.mcpServerMappings`, 'must be a list');
    else for (const [i, item] of mcpServerMappings_.entries()) {
      checkMcpServerMapping(item, `${at}.mcpServerMappings[${i}]`, out);
    }
  }
  const timings_ = v.timings;
  if (timings_ === undefined) bad(out, `${at}.timings`, 'is required');
  else {
    if (!isObject(timings_)) bad(out, `${at}.timings`, 'must be an object');
    else for (const [key, item] of Object.entries(timings_)) {
      if (!Number.isFinite(item)) bad(out, `${at}.timings.${key}`, 'must be a number');
    }
  }
  const degradedServers_ = v.degradedServers;
  if (degradedServers_ !== undefined) {
    if (!Array.isArray(degradedServers_)) bad(out, `${at}.degradedServers`, 'must be a list');
    else for (const [i, item] of degradedServers_.entries()) {
      checkDegradedServer(item, `${at}.degradedServers[${i}]`, out);
    }
  }
}

export function checkRuntimeStageCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.completed') bad(out, `${at}.type`, 'must be "runtime.stage.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const output_ = v.output;
  if (output_ === undefined) bad(out, `${at}.output`, 'is required');
  const tree_ = v.tree;
  if (tree_ === undefined) bad(out, `${at}.tree`, 'is required');
  else {
    if (typeof tree_ !== 'string' || !FORMATS.sha256.test(tree_)) bad(out, `${at}.tree`, FORMATS.sha256.says);
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
    if (typeof harnessSessionId_ !== 'string') bad(out, `${at}.harnessSessionId`, 'must be a text');
  }
  const artifacts_ = v.artifacts;
  if (artifacts_ !== undefined) {
    if (!Array.isArray(artifacts_)) bad(out, `${at}.artifacts`, 'must be a list');
    else for (const [i, item] of artifacts_.entries()) {
      checkArtifact(item, `${at}.artifacts[${i}]`, out);
    }
  }
  const timings_ = v.timings;
  if (timings_ !== undefined) {
    if (!isObject(timings_)) bad(out, `${at}.timings`, 'must be an object');
    else for (const [key, item] of Object.entries(timings_)) {
      if (!Number.isFinite(item)) bad(out, `${at}.timings.${key}`, 'must be a number');
    }
  }
  const degradedServers_ = v.degradedServers;
  if (degradedServers_ !== undefined) {
    if (!Array.isArray(degradedServers_)) bad(out, `${at}.degradedServers`, 'must be a list');
    else for (const [i, item] of degradedServers_.entries()) {
      checkDegradedServer(item, `${at}.degradedServers[${i}]`, out);
    }
  }
  const deniedTools_ = v.deniedTools;
  if (deniedTools_ !== undefined) {
    if (!Array.isArray(deniedTools_)) bad(out, `${at}.deniedTools`, 'must be a list');
    else for (const [i, item] of deniedTools_.entries()) {
      checkDeniedTool(item, `${at}.deniedTools[${i}]`, out);
    }
  }
}

export function checkRuntimeStageWaiting(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.waiting') bad(out, `${at}.type`, 'must be "runtime.stage.waiting"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const question_ = v.question;
  if (question_ === undefined) bad(out, `${at}.question`, 'is required');
}

export function checkRuntimeStageFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.failed') bad(out, `${at}.type`, 'must be "runtime.stage.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
  const retryable_ = v.retryable;
  if (retryable_ === undefined) bad(out, `${at}.retryable`, 'is required');
  else {
    if (typeof retryable_ !== 'boolean') bad(out, `${at}.retryable`, 'must be true or false');
  }
  const usage_ = v.usage;
  if (usage_ !== undefined) {
    checkUsage(usage_, `${at}.usage`, out);
  }
  const outcome_ = v.outcome;
  if (outcome_ !== undefined) {
    if (outcome_ !== 'failed' && outcome_ !== 'unknown') bad(out, `${at}.outcome`, 'must be one of failed, unknown');
  }
}

export function checkRuntimeStageCancelled(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.stage.cancelled') bad(out, `${at}.type`, 'must be "runtime.stage.cancelled"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const stage_ = v.stage;
  if (stage_ === undefined) bad(out, `${at}.stage`, 'is required');
  else {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimeTaskRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.task.requested') bad(out, `${at}.type`, 'must be "runtime.task.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) bad(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) bad(out, `${at}.kind`, 'must be a text that is not blank');
  }
  const taskId_ = v.taskId;
  if (taskId_ === undefined) bad(out, `${at}.taskId`, 'is required');
  else {
    if (!isText(taskId_)) bad(out, `${at}.taskId`, 'must be a text that is not blank');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const deadline_ = v.deadline;
  if (deadline_ !== undefined) {
    if (typeof deadline_ !== 'string' || !FORMATS.timestamp.test(deadline_)) bad(out, `${at}.deadline`, FORMATS.timestamp.says);
  }
  const definition_ = v.definition;
  if (definition_ !== undefined) {
    if (!isObject(definition_)) bad(out, `${at}.definition`, 'must be an object');
  }
}

export function checkRuntimeTaskCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.task.completed') bad(out, `${at}.type`, 'must be "runtime.task.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) bad(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) bad(out, `${at}.kind`, 'must be a text that is not blank');
  }
  const taskId_ = v.taskId;
  if (taskId_ === undefined) bad(out, `${at}.taskId`, 'is required');
  else {
    if (!isText(taskId_)) bad(out, `${at}.taskId`, 'must be a text that is not blank');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
  const value_ = v.value;
  if (value_ === undefined) bad(out, `${at}.value`, 'is required');
}

export function checkRuntimeTaskFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.task.failed') bad(out, `${at}.type`, 'must be "runtime.task.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const kind_ = v.kind;
  if (kind_ === undefined) bad(out, `${at}.kind`, 'is required');
  else {
    if (!isText(kind_)) bad(out, `${at}.kind`, 'must be a text that is not blank');
  }
  const taskId_ = v.taskId;
  if (taskId_ === undefined) bad(out, `${at}.taskId`, 'is required');
  else {
    if (!isText(taskId_)) bad(out, `${at}.taskId`, 'must be a text that is not blank');
  }
  const label_ = v.label;
  if (label_ !== undefined) {
    if (typeof label_ !== 'string') bad(out, `${at}.label`, 'must be a text');
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeChildStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.child.started') bad(out, `${at}.type`, 'must be "runtime.child.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const childRequestId_ = v.childRequestId;
  if (childRequestId_ === undefined) bad(out, `${at}.childRequestId`, 'is required');
  else {
    if (typeof childRequestId_ !== 'string' || !FORMATS.token.test(childRequestId_)) bad(out, `${at}.childRequestId`, FORMATS.token.says);
  }
}

export function checkRuntimeChildCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.child.completed') bad(out, `${at}.type`, 'must be "runtime.child.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const childRequestId_ = v.childRequestId;
  if (childRequestId_ === undefined) bad(out, `${at}.childRequestId`, 'is required');
  else {
    if (typeof childRequestId_ !== 'string' || !FORMATS.token.test(childRequestId_)) bad(out, `${at}.childRequestId`, FORMATS.token.says);
  }
}

export function checkRuntimeChildFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.child.failed') bad(out, `${at}.type`, 'must be "runtime.child.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const childRequestId_ = v.childRequestId;
  if (childRequestId_ === undefined) bad(out, `${at}.childRequestId`, 'is required');
  else {
    if (typeof childRequestId_ !== 'string' || !FORMATS.token.test(childRequestId_)) bad(out, `${at}.childRequestId`, FORMATS.token.says);
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeToolDirectRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.requested') bad(out, `${at}.type`, 'must be "runtime.tool.direct.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) bad(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) bad(out, `${at}.toolId`, 'must be a text that is not blank');
  }
  const args_ = v.args;
  if (args_ === undefined) bad(out, `${at}.args`, 'is required');
  else {
    if (!isObject(args_)) bad(out, `${at}.args`, 'must be an object');
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimeToolDirectStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.started') bad(out, `${at}.type`, 'must be "runtime.tool.direct.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) bad(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) bad(out, `${at}.toolId`, 'must be a text that is not blank');
  }
}

export function checkRuntimeToolDirectCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.completed') bad(out, `${at}.type`, 'must be "runtime.tool.direct.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) bad(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) bad(out, `${at}.toolId`, 'must be a text that is not blank');
  }
  const output_ = v.output;
  if (output_ === undefined) bad(out, `${at}.output`, 'is required');
}

export function checkRuntimeToolDirectFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.direct.failed') bad(out, `${at}.type`, 'must be "runtime.tool.direct.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) bad(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) bad(out, `${at}.toolId`, 'must be a text that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeToolDenied(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.tool.denied') bad(out, `${at}.type`, 'must be "runtime.tool.denied"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const toolId_ = v.toolId;
  if (toolId_ === undefined) bad(out, `${at}.toolId`, 'is required');
  else {
    if (!isText(toolId_)) bad(out, `${at}.toolId`, 'must be a text that is not blank');
  }
  const policyId_ = v.policyId;
  if (policyId_ === undefined) bad(out, `${at}.policyId`, 'is required');
  else {
    if (!isText(policyId_)) bad(out, `${at}.policyId`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const approvalId_ = v.approvalId;
  if (approvalId_ !== undefined) {
    if (typeof approvalId_ !== 'string' || !FORMATS.token.test(approvalId_)) bad(out, `${at}.approvalId`, FORMATS.token.says);
  }
}

export function checkRuntimeMcpServerUnavailable(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.mcp.server.unavailable') bad(out, `${at}.type`, 'must be "runtime.mcp.server.unavailable"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const serverId_ = v.serverId;
  if (serverId_ === undefined) bad(out, `${at}.serverId`, 'is required');
  else {
    if (!isText(serverId_)) bad(out, `${at}.serverId`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const missingToolIds_ = v.missingToolIds;
  if (missingToolIds_ === undefined) bad(out, `${at}.missingToolIds`, 'is required');
  else {
    if (!Array.isArray(missingToolIds_)) bad(out, `${at}.missingToolIds`, 'must be a list');
    else for (const [i, item] of missingToolIds_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.missingToolIds[${i}]`, 'must be a text');
    }
  }
  const required_ = v.required;
  if (required_ === undefined) bad(out, `${at}.required`, 'is required');
  else {
    if (typeof required_ !== 'boolean') bad(out, `${at}.required`, 'must be true or false');
  }
}

export function checkRuntimeAdapterEvent(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.adapter.event') bad(out, `${at}.type`, 'must be "runtime.adapter.event"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const event_ = v.event;
  if (event_ === undefined) bad(out, `${at}.event`, 'is required');
  else {
    checkAdapterEvent(event_, `${at}.event`, out);
  }
  const stage_ = v.stage;
  if (stage_ !== undefined) {
    if (stage_ !== 'interview' && stage_ !== 'execute' && stage_ !== 'evaluate' && stage_ !== 'reflect') bad(out, `${at}.stage`, 'must be one of interview, execute, evaluate, reflect');
  }
  const effectId_ = v.effectId;
  if (effectId_ !== undefined) {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const seq_ = v.seq;
  if (seq_ !== undefined) {
    if (!Number.isSafeInteger(seq_) || (seq_ as number) < 1) bad(out, `${at}.seq`, 'must be an integer, at least 1');
  }
}

export function checkAdapterEvent(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const adapter_ = v.adapter;
  if (adapter_ === undefined) bad(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) bad(out, `${at}.adapter`, 'must be a text that is not blank');
  }
  const phase_ = v.phase;
  if (phase_ !== undefined) {
    if (typeof phase_ !== 'string') bad(out, `${at}.phase`, 'must be a text');
  }
  const traceType_ = v.traceType;
  if (traceType_ !== undefined) {
    if (traceType_ !== 'plan' && traceType_ !== 'delegation') bad(out, `${at}.traceType`, 'must be one of plan, delegation');
  }
  const toolId_ = v.toolId;
  if (toolId_ !== undefined) {
    if (typeof toolId_ !== 'string') bad(out, `${at}.toolId`, 'must be a text');
  }
  const callId_ = v.callId;
  if (callId_ !== undefined) {
    if (typeof callId_ !== 'string') bad(out, `${at}.callId`, 'must be a text');
  }
  const text_ = v.text;
  if (text_ !== undefined) {
    if (typeof text_ !== 'string') bad(out, `${at}.text`, 'must be a text');
  }
  const modelRef_ = v.modelRef;
  if (modelRef_ !== undefined) {
    if (typeof modelRef_ !== 'string') bad(out, `${at}.modelRef`, 'must be a text');
  }
  const tools_ = v.tools;
  if (tools_ !== undefined) {
    if (!Array.isArray(tools_)) bad(out, `${at}.tools`, 'must be a list');
    else for (const [i, item] of tools_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.tools[${i}]`, 'must be a text');
    }
  }
  const subagents_ = v.subagents;
  if (subagents_ !== undefined) {
    if (!Array.isArray(subagents_)) bad(out, `${at}.subagents`, 'must be a list');
    else for (const [i, item] of subagents_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.subagents[${i}]`, 'must be a text');
    }
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') bad(out, `${at}.workflowId`, 'must be a text');
  }
  const nodeId_ = v.nodeId;
  if (nodeId_ !== undefined) {
    if (typeof nodeId_ !== 'string') bad(out, `${at}.nodeId`, 'must be a text');
  }
  const skillId_ = v.skillId;
  if (skillId_ !== undefined) {
    if (typeof skillId_ !== 'string') bad(out, `${at}.skillId`, 'must be a text');
  }
  const grantedTools_ = v.grantedTools;
  if (grantedTools_ !== undefined) {
    if (!Array.isArray(grantedTools_)) bad(out, `${at}.grantedTools`, 'must be a list');
    else for (const [i, item] of grantedTools_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.grantedTools[${i}]`, 'must be a text');
    }
  }
  const grantedCommands_ = v.grantedCommands;
  if (grantedCommands_ !== undefined) {
    if (!Array.isArray(grantedCommands_)) bad(out, `${at}.grantedCommands`, 'must be a list');
    else for (const [i, item] of grantedCommands_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.grantedCommands[${i}]`, 'must be a text');
    }
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const aborted_ = v.aborted;
  if (aborted_ !== undefined) {
    if (typeof aborted_ !== 'boolean') bad(out, `${at}.aborted`, 'must be true or false');
  }
  const nativeType_ = v.nativeType;
  if (nativeType_ !== undefined) {
    if (typeof nativeType_ !== 'string') bad(out, `${at}.nativeType`, 'must be a text');
  }
}

export function checkRuntimeProgressNarration(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.progress.narration') bad(out, `${at}.type`, 'must be "runtime.progress.narration"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const message_ = v.message;
  if (message_ === undefined) bad(out, `${at}.message`, 'is required');
  else {
    if (typeof message_ !== 'string') bad(out, `${at}.message`, 'must be a text');
  }
  const provider_ = v.provider;
  if (provider_ === undefined) bad(out, `${at}.provider`, 'is required');
  else {
    if (!isText(provider_)) bad(out, `${at}.provider`, 'must be a text that is not blank');
  }
  const sourceEventTypes_ = v.sourceEventTypes;
  if (sourceEventTypes_ === undefined) bad(out, `${at}.sourceEventTypes`, 'is required');
  else {
    if (!Array.isArray(sourceEventTypes_)) bad(out, `${at}.sourceEventTypes`, 'must be a list');
    else for (const [i, item] of sourceEventTypes_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.sourceEventTypes[${i}]`, 'must be a text');
    }
  }
  const sourceEventIds_ = v.sourceEventIds;
  if (sourceEventIds_ !== undefined) {
    if (!Array.isArray(sourceEventIds_)) bad(out, `${at}.sourceEventIds`, 'must be a list');
    else for (const [i, item] of sourceEventIds_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.sourceEventIds[${i}]`, 'must be a text');
    }
  }
  const model_ = v.model;
  if (model_ !== undefined) {
    if (typeof model_ !== 'string') bad(out, `${at}.model`, 'must be a text');
  }
  const style_ = v.style;
  if (style_ !== undefined) {
    if (typeof style_ !== 'string') bad(out, `${at}.style`, 'must be a text');
  }
}

export function checkRuntimeWorkflowRequested(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.requested') bad(out, `${at}.type`, 'must be "runtime.workflow.requested"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) bad(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) bad(out, `${at}.workflowId`, 'must be a text that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) bad(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) bad(out, `${at}.adapter`, 'must be a text that is not blank');
  }
  const attempt_ = v.attempt;
  if (attempt_ !== undefined) {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
}

export function checkRuntimeWorkflowStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.started') bad(out, `${at}.type`, 'must be "runtime.workflow.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) bad(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) bad(out, `${at}.workflowId`, 'must be a text that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) bad(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) bad(out, `${at}.adapter`, 'must be a text that is not blank');
  }
}

export function checkRuntimeWorkflowCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.completed') bad(out, `${at}.type`, 'must be "runtime.workflow.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) bad(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) bad(out, `${at}.workflowId`, 'must be a text that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) bad(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) bad(out, `${at}.adapter`, 'must be a text that is not blank');
  }
}

export function checkRuntimeWorkflowFailed(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.workflow.failed') bad(out, `${at}.type`, 'must be "runtime.workflow.failed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ === undefined) bad(out, `${at}.workflowId`, 'is required');
  else {
    if (!isText(workflowId_)) bad(out, `${at}.workflowId`, 'must be a text that is not blank');
  }
  const adapter_ = v.adapter;
  if (adapter_ === undefined) bad(out, `${at}.adapter`, 'is required');
  else {
    if (!isText(adapter_)) bad(out, `${at}.adapter`, 'must be a text that is not blank');
  }
  const error_ = v.error;
  if (error_ === undefined) bad(out, `${at}.error`, 'is required');
  else {
    checkErrorInfo(error_, `${at}.error`, out);
  }
}

export function checkRuntimeArtifactCreated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.artifact.created') bad(out, `${at}.type`, 'must be "runtime.artifact.created"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const artifact_ = v.artifact;
  if (artifact_ === undefined) bad(out, `${at}.artifact`, 'is required');
  else {
    checkArtifact(artifact_, `${at}.artifact`, out);
  }
}

export function checkRuntimeSpecDrivenPhaseStarted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.started') bad(out, `${at}.type`, 'must be "runtime.specDriven.phase.started"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) bad(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) bad(out, `${at}.phaseId`, 'must be a text that is not blank');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') bad(out, `${at}.workflowId`, 'must be a text');
  }
}

export function checkRuntimeSpecDrivenPhaseBlocked(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.blocked') bad(out, `${at}.type`, 'must be "runtime.specDriven.phase.blocked"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) bad(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) bad(out, `${at}.phaseId`, 'must be a text that is not blank');
  }
  const reason_ = v.reason;
  if (reason_ === undefined) bad(out, `${at}.reason`, 'is required');
  else {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') bad(out, `${at}.workflowId`, 'must be a text');
  }
}

export function checkRuntimeSpecDrivenPhaseCompleted(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.completed') bad(out, `${at}.type`, 'must be "runtime.specDriven.phase.completed"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) bad(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) bad(out, `${at}.phaseId`, 'must be a text that is not blank');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') bad(out, `${at}.workflowId`, 'must be a text');
  }
}

export function checkRuntimeSpecDrivenPhaseVerified(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.specDriven.phase.verified') bad(out, `${at}.type`, 'must be "runtime.specDriven.phase.verified"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const phaseId_ = v.phaseId;
  if (phaseId_ === undefined) bad(out, `${at}.phaseId`, 'is required');
  else {
    if (!isText(phaseId_)) bad(out, `${at}.phaseId`, 'must be a text that is not blank');
  }
  const workflowId_ = v.workflowId;
  if (workflowId_ !== undefined) {
    if (typeof workflowId_ !== 'string') bad(out, `${at}.workflowId`, 'must be a text');
  }
}

export function checkRuntimeSkillCandidateCreated(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const type_ = v.type;
  if (type_ === undefined) bad(out, `${at}.type`, 'is required');
  else {
    if (type_ !== 'runtime.skill.candidate.created') bad(out, `${at}.type`, 'must be "runtime.skill.candidate.created"');
  }
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const candidateId_ = v.candidateId;
  if (candidateId_ === undefined) bad(out, `${at}.candidateId`, 'is required');
  else {
    if (typeof candidateId_ !== 'string' || !FORMATS.token.test(candidateId_)) bad(out, `${at}.candidateId`, FORMATS.token.says);
  }
  const name_ = v.name;
  if (name_ === undefined) bad(out, `${at}.name`, 'is required');
  else {
    if (!isText(name_)) bad(out, `${at}.name`, 'must be a text that is not blank');
  }
  const confidence_ = v.confidence;
  if (confidence_ === undefined) bad(out, `${at}.confidence`, 'is required');
  else {
    if (!Number.isFinite(confidence_) || (confidence_ as number) < 0 || (confidence_ as number) > 1) bad(out, `${at}.confidence`, 'must be a number, at least 0, at most 1');
  }
  const evidenceCount_ = v.evidenceCount;
  if (evidenceCount_ === undefined) bad(out, `${at}.evidenceCount`, 'is required');
  else {
    if (!Number.isSafeInteger(evidenceCount_) || (evidenceCount_ as number) < 0) bad(out, `${at}.evidenceCount`, 'must be an integer, at least 0');
  }
  const status_ = v.status;
  if (status_ === undefined) bad(out, `${at}.status`, 'is required');
  else {
    if (!isText(status_)) bad(out, `${at}.status`, 'must be a text that is not blank');
  }
  const proposedPath_ = v.proposedPath;
  if (proposedPath_ !== undefined) {
    if (typeof proposedPath_ !== 'string') bad(out, `${at}.proposedPath`, 'must be a text');
  }
}

export function checkAnswerHead(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const effectId_ = v.effectId;
  if (effectId_ === undefined) bad(out, `${at}.effectId`, 'is required');
  else {
    if (typeof effectId_ !== 'string' || !FORMATS.token.test(effectId_)) bad(out, `${at}.effectId`, FORMATS.token.says);
  }
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const epoch_ = v.epoch;
  if (epoch_ !== undefined) {
    if (!Number.isSafeInteger(epoch_) || (epoch_ as number) < 0) bad(out, `${at}.epoch`, 'must be an integer, at least 0');
  }
  const outcome_ = v.outcome;
  if (outcome_ !== undefined) {
    if (outcome_ !== 'failed' && outcome_ !== 'unknown') bad(out, `${at}.outcome`, 'must be one of failed, unknown');
  }
}

export function checkClaimRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const attempt_ = v.attempt;
  if (attempt_ === undefined) bad(out, `${at}.attempt`, 'is required');
  else {
    if (!Number.isSafeInteger(attempt_) || (attempt_ as number) < 1) bad(out, `${at}.attempt`, 'must be an integer, at least 1');
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) bad(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) bad(out, `${at}.hostId`, 'must be a text that is not blank');
  }
  const state_ = v.state;
  if (state_ === undefined) bad(out, `${at}.state`, 'is required');
  else {
    if (state_ !== 'working' && state_ !== 'answered' && state_ !== 'expired') bad(out, `${at}.state`, 'must be one of working, answered, expired');
  }
  const subject_ = v.subject;
  if (subject_ === undefined) bad(out, `${at}.subject`, 'is required');
  else {
    if (typeof subject_ !== 'string') bad(out, `${at}.subject`, 'must be a text');
  }
  const answerRef_ = v.answerRef;
  if (answerRef_ !== undefined) {
    checkBlobRef(answerRef_, `${at}.answerRef`, out);
  }
}

export function checkControlRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const orders_ = v.orders;
  if (orders_ === undefined) bad(out, `${at}.orders`, 'is required');
  else {
    if (!Array.isArray(orders_)) bad(out, `${at}.orders`, 'must be a list');
    else for (const [i, item] of orders_.entries()) {
      checkControlOrder(item, `${at}.orders[${i}]`, out);
    }
  }
}

export function checkControlOrder(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const number_ = v.number;
  if (number_ === undefined) bad(out, `${at}.number`, 'is required');
  else {
    if (!Number.isSafeInteger(number_) || (number_ as number) < 1) bad(out, `${at}.number`, 'must be an integer, at least 1');
  }
  const kind_ = v.kind;
  if (kind_ === undefined) bad(out, `${at}.kind`, 'is required');
  else {
    if (kind_ !== 'cancel' && kind_ !== 'answer' && kind_ !== 'approve' && kind_ !== 'deny' && kind_ !== 'compact' && kind_ !== 'nudge') bad(out, `${at}.kind`, 'must be one of cancel, answer, approve, deny, compact, nudge');
  }
}

export function checkHarnessOffer(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const runtimeId_ = v.runtimeId;
  if (runtimeId_ === undefined) bad(out, `${at}.runtimeId`, 'is required');
  else {
    if (typeof runtimeId_ !== 'string' || !FORMATS.token.test(runtimeId_)) bad(out, `${at}.runtimeId`, FORMATS.token.says);
  }
  const hostId_ = v.hostId;
  if (hostId_ === undefined) bad(out, `${at}.hostId`, 'is required');
  else {
    if (!isText(hostId_)) bad(out, `${at}.hostId`, 'must be a text that is not blank');
  }
  const version_ = v.version;
  if (version_ === undefined) bad(out, `${at}.version`, 'is required');
  else {
    if (typeof version_ !== 'string') bad(out, `${at}.version`, 'must be a text');
  }
  const healthy_ = v.healthy;
  if (healthy_ === undefined) bad(out, `${at}.healthy`, 'is required');
  else {
    if (typeof healthy_ !== 'boolean') bad(out, `${at}.healthy`, 'must be true or false');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const slots_ = v.slots;
  if (slots_ === undefined) bad(out, `${at}.slots`, 'is required');
  else {
    if (!Number.isSafeInteger(slots_) || (slots_ as number) < 0) bad(out, `${at}.slots`, 'must be an integer, at least 0');
  }
  const capabilities_ = v.capabilities;
  if (capabilities_ !== undefined) {
    if (!Array.isArray(capabilities_)) bad(out, `${at}.capabilities`, 'must be a list');
    else for (const [i, item] of capabilities_.entries()) {
      if (typeof item !== 'string') bad(out, `${at}.capabilities[${i}]`, 'must be a text');
    }
  }
  const providers_ = v.providers;
  if (providers_ !== undefined) {
    if (!Array.isArray(providers_)) bad(out, `${at}.providers`, 'must be a list');
    else for (const [i, item] of providers_.entries()) {
      checkProviderHealth(item, `${at}.providers[${i}]`, out);
    }
  }
}

export function checkProviderHealth(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const providerId_ = v.providerId;
  if (providerId_ === undefined) bad(out, `${at}.providerId`, 'is required');
  else {
    if (!isText(providerId_)) bad(out, `${at}.providerId`, 'must be a text that is not blank');
  }
  const status_ = v.status;
  if (status_ === undefined) bad(out, `${at}.status`, 'is required');
  else {
    if (status_ !== 'ok' && status_ !== 'unknown' && status_ !== 'failed') bad(out, `${at}.status`, 'must be one of ok, unknown, failed');
  }
  const reason_ = v.reason;
  if (reason_ !== undefined) {
    if (typeof reason_ !== 'string') bad(out, `${at}.reason`, 'must be a text');
  }
  const hint_ = v.hint;
  if (hint_ !== undefined) {
    if (typeof hint_ !== 'string') bad(out, `${at}.hint`, 'must be a text');
  }
}

export function checkRequestRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const bodyHash_ = v.bodyHash;
  if (bodyHash_ === undefined) bad(out, `${at}.bodyHash`, 'is required');
  else {
    if (typeof bodyHash_ !== 'string' || !FORMATS.sha256.test(bodyHash_)) bad(out, `${at}.bodyHash`, FORMATS.sha256.says);
  }
  const workspaceId_ = v.workspaceId;
  if (workspaceId_ === undefined) bad(out, `${at}.workspaceId`, 'is required');
  else {
    if (typeof workspaceId_ !== 'string' || !FORMATS.token.test(workspaceId_)) bad(out, `${at}.workspaceId`, FORMATS.token.says);
  }
  const sessionId_ = v.sessionId;
  if (sessionId_ === undefined) bad(out, `${at}.sessionId`, 'is required');
  else {
    if (typeof sessionId_ !== 'string' || !FORMATS.token.test(sessionId_)) bad(out, `${at}.sessionId`, FORMATS.token.says);
  }
  const agentId_ = v.agentId;
  if (agentId_ === undefined) bad(out, `${at}.agentId`, 'is required');
  else {
    if (!isText(agentId_)) bad(out, `${at}.agentId`, 'must be a text that is not blank');
  }
  const acceptedAt_ = v.acceptedAt;
  if (acceptedAt_ === undefined) bad(out, `${at}.acceptedAt`, 'is required');
  else {
    if (typeof acceptedAt_ !== 'string' || !FORMATS.timestamp.test(acceptedAt_)) bad(out, `${at}.acceptedAt`, FORMATS.timestamp.says);
  }
}

export function checkSessionRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const state_ = v.state;
  if (state_ === undefined) bad(out, `${at}.state`, 'is required');
  else {
    checkSessionState(state_, `${at}.state`, out);
  }
  const running_ = v.running;
  if (running_ !== undefined) {
    checkSessionTurn(running_, `${at}.running`, out);
  }
  const queued_ = v.queued;
  if (queued_ === undefined) bad(out, `${at}.queued`, 'is required');
  else {
    if (!Array.isArray(queued_)) bad(out, `${at}.queued`, 'must be a list');
    else for (const [i, item] of queued_.entries()) {
      checkSessionTurn(item, `${at}.queued[${i}]`, out);
    }
  }
  const left_ = v.left;
  if (left_ !== undefined) {
    if (!Array.isArray(left_)) bad(out, `${at}.left`, 'must be a list');
    else for (const [i, item] of left_.entries()) {
      if (typeof item !== 'string' || !FORMATS.token.test(item)) bad(out, `${at}.left[${i}]`, FORMATS.token.says);
    }
  }
}

export function checkSessionTurn(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const requestId_ = v.requestId;
  if (requestId_ === undefined) bad(out, `${at}.requestId`, 'is required');
  else {
    if (typeof requestId_ !== 'string' || !FORMATS.token.test(requestId_)) bad(out, `${at}.requestId`, FORMATS.token.says);
  }
  const submitRef_ = v.submitRef;
  if (submitRef_ !== undefined) {
    checkBlobRef(submitRef_, `${at}.submitRef`, out);
  }
}

export function checkApiKeyRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const id_ = v.id;
  if (id_ === undefined) bad(out, `${at}.id`, 'is required');
  else {
    if (typeof id_ !== 'string' || !FORMATS.token.test(id_)) bad(out, `${at}.id`, FORMATS.token.says);
  }
  const name_ = v.name;
  if (name_ === undefined) bad(out, `${at}.name`, 'is required');
  else {
    if (typeof name_ !== 'string') bad(out, `${at}.name`, 'must be a text');
  }
  const hash_ = v.hash;
  if (hash_ === undefined) bad(out, `${at}.hash`, 'is required');
  else {
    if (typeof hash_ !== 'string' || !FORMATS.sha256.test(hash_)) bad(out, `${at}.hash`, FORMATS.sha256.says);
  }
  const createdAt_ = v.createdAt;
  if (createdAt_ === undefined) bad(out, `${at}.createdAt`, 'is required');
  else {
    if (typeof createdAt_ !== 'string' || !FORMATS.timestamp.test(createdAt_)) bad(out, `${at}.createdAt`, FORMATS.timestamp.says);
  }
  const revokedAt_ = v.revokedAt;
  if (revokedAt_ !== undefined) {
    if (typeof revokedAt_ !== 'string' || !FORMATS.timestamp.test(revokedAt_)) bad(out, `${at}.revokedAt`, FORMATS.timestamp.says);
  }
}

export function checkPlanRecord(v: unknown, at: string, out: Problem[]): void {
  if (!isObject(v)) return bad(out, at, 'must be an object');
  const inputsChecksum_ = v.inputsChecksum;
  if (inputsChecksum_ === undefined) bad(out, `${at}.inputsChecksum`, 'is required');
  else {
    if (typeof inputsChecksum_ !== 'string' || !FORMATS.sha256.test(inputsChecksum_)) bad(out, `${at}.inputsChecksum`, FORMATS.sha256.says);
  }
  const plan_ = v.plan;
  if (plan_ === undefined) bad(out, `${at}.plan`, 'is required');
  const diagnostics_ = v.diagnostics;
  if (diagnostics_ === undefined) bad(out, `${at}.diagnostics`, 'is required');
  else {
    if (!Array.isArray(diagnostics_)) bad(out, `${at}.diagnostics`, 'must be a list');
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
  AgentLanggraphInvoke: checkAgentLanggraphInvoke,
  AgentNodeCompleted: checkAgentNodeCompleted,
  AgentNative: checkAgentNative,
  CommandRunSubmit: checkCommandRunSubmit,
  CommandRunCancel: checkCommandRunCancel,
  CommandRunAnswer: checkCommandRunAnswer,
  CommandRunPause: checkCommandRunPause,
  CommandRunResume: checkCommandRunResume,
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
  Turn: checkTurn,
  LastRun: checkLastRun,
  ContextOutcome: checkContextOutcome,
  SessionState: checkSessionState,
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
  RuntimeApprovalRequested: checkRuntimeApprovalRequested,
  RuntimeApprovalResolved: checkRuntimeApprovalResolved,
  RuntimeUsageRecorded: checkRuntimeUsageRecorded,
  RuntimeBudgetExceeded: checkRuntimeBudgetExceeded,
  RuntimeHarnessAvailable: checkRuntimeHarnessAvailable,
  RuntimeHarnessUnavailable: checkRuntimeHarnessUnavailable,
  RuntimeMemoryLifecycle: checkRuntimeMemoryLifecycle,
  RuntimeMemoryRecallRequested: checkRuntimeMemoryRecallRequested,
  RuntimeMemoryRecallCompleted: checkRuntimeMemoryRecallCompleted,
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
  RuntimeExecutionContractFailed: checkRuntimeExecutionContractFailed,
  RuntimeStageRequested: checkRuntimeStageRequested,
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
