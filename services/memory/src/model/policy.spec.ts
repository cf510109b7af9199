import { expect, test } from '@jest/globals';
import { checkKind, logSubject, parseNamespace } from './namespaces.ts';
import { type Access, checkAccess, permits, type RunActor } from './policy.ts';

const RUN: RunActor = { type: 'run', workspaceId: 'w', sessionId: 's', agentId: 'main', userId: 'ann' };
const OWN = ['user/ann', 'workspace/w', 'agent/w/main', 'session/w/s'];
const FOREIGN = ['user/bob', 'workspace/v', 'agent/v/main', 'agent/w/other', 'session/v/s', 'session/w/t'];
const ACCESSES: readonly Access[] = ['read', 'write'];

test('a run has access to its own namespaces, and to no others', () => {
  for (const access of ACCESSES) {
    for (const name of OWN) expect([name, permits(RUN, access, parseNamespace(name))]).toEqual([name, true]);
    for (const name of FOREIGN) expect([name, permits(RUN, access, parseNamespace(name))]).toEqual([name, false]);
  }
  expect(() => checkAccess(RUN, 'read', parseNamespace('user/bob'))).toThrow(
    expect.objectContaining({ code: 'memory_access_denied', message: 'this run may not read user/bob' }),
  );
});

test('a run without a user has access to the memory of no user', () => {
  const { userId: _, ...withoutUser } = RUN;
  expect(permits(withoutUser, 'read', parseNamespace('user/ann'))).toBe(false);
});

test('an operator has access to everything', () => {
  for (const name of [...OWN, ...FOREIGN])
    expect(permits({ type: 'operator' }, 'write', parseNamespace(name))).toBe(true);
});

test.each(['', 'user', 'user/', 'user/a/b', 'session/w', 'agent/w/', 'team/x', 'user/a b', 'user/a.b', '__proto__/x'])(
  '%j is not a namespace',
  (name) => {
    expect(() => parseNamespace(name)).toThrow(expect.objectContaining({ code: 'memory_namespace_invalid' }));
  },
);

test('each namespace has a subject of its own', () => {
  const subjects = [...OWN, ...FOREIGN].map((name) => logSubject(parseNamespace(name)));
  expect(subjects[2]).toBe('memory.log.agent.w.main');
  expect(new Set(subjects).size).toBe(OWN.length + FOREIGN.length);
});

test('profiles belong to users, and session records to sessions', () => {
  expect(checkKind(parseNamespace('user/ann'), 'profile')).toBe('profile');
  for (const [name, kind] of [
    ['workspace/w', 'profile'],
    ['user/ann', 'session'],
    ['user/ann', 'toString'],
  ] as const)
    expect(() => checkKind(parseNamespace(name), kind)).toThrow(expect.objectContaining({ path: 'kind' }));
});
