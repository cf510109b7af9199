import * as assert from 'node:assert';
import * as hooks from 'node:async_hooks';
import * as buffer from 'node:buffer';
import * as crypto from 'node:crypto';
import * as events from 'node:events';
import * as fs from 'node:fs';
import * as path from 'node:path';
import * as perf from 'node:perf_hooks';
import * as processModule from 'node:process';
import * as querystring from 'node:querystring';
import * as decoder from 'node:string_decoder';
import * as timers from 'node:timers';
import * as url from 'node:url';
import * as util from 'node:util';
import * as babysitter from '@a5c-ai/babysitter-sdk';
import * as replay from '@reins/replay';

const MODULES = [babysitter, replay, assert, hooks, buffer, crypto, events, fs, path, perf, processModule, querystring];
const MORE = [decoder, timers, url, util, import.meta, globalThis];

/** The names of all functions and classes that a process can reach, and whose prototype they are a member of. */
export async function process(_inputs, ctx) {
  // In a step more is allowed than outside of it.
  return ctx.step('look around', () => {
    const timer = setTimeout(() => undefined, 1);
    return namesOf([...MODULES, ...MORE, ctx, timer, Promise.resolve(), new Error('x'), new (class {})()]);
  });
}

function namesOf(roots) {
  const seen = new Set();
  const names = new Set();
  const open = roots.map((value) => [value, undefined]);
  while (open.length > 0) {
    const [value, owner] = open.pop();
    if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) continue;
    seen.add(value);
    if (typeof value === 'function') names.add(owner === undefined ? value.name : `${value.name} @ ${owner}`);
    for (const member of membersOf(value)) open.push([member, ownerOf(value)]);
  }
  return { names: [...names], count: seen.size };
}

/** A function of a prototype is known by its class; others stand for themselves. */
function ownerOf(value) {
  const { constructor: own } = Object.getOwnPropertyDescriptors(value);
  return typeof own?.value === 'function' && own.value.prototype === value ? own.value.name : undefined;
}

function membersOf(value) {
  const members = [Object.getPrototypeOf(value)];
  for (const key of Reflect.ownKeys(value)) {
    const { get, value: member } = Object.getOwnPropertyDescriptor(value, key) ?? {};
    members.push(member, get);
    if (get) members.push(attempt(() => value[key]));
  }
  return members;
}

function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
