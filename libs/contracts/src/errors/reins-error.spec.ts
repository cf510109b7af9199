import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { problemOf, ReinsError } from '../index.ts';

const thrownBy = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

test.each([
  ['a file in place of a folder', () => readFileSync('/dev/null/x'), 'ENOTDIR', '/dev/null/x'],
  ['a missing folder', () => writeFileSync('/no/such/folder/x', ''), 'ENOENT', '/no/such/folder/x'],
  ['a folder in place of a file', () => writeFileSync('/', ''), 'EISDIR', '/'],
])('converts a file system error to code, path and hint: %s', (_, work, errno, path) => {
  const { hint, message, ...problem } = problemOf(thrownBy(work));
  expect(problem).toEqual({ code: 'storage_failed', path });
  expect(message).toMatch(new RegExp(`^${path}: .+\\(${errno}, open\\)$`));
  expect(hint).toEqual(expect.any(String));
});

test('omits the path when the error names no file', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(problemOf(full)).toEqual({
    code: 'storage_failed',
    message: 'the disk is full (ENOSPC, write)',
    hint: 'Free disk space, then try again.',
  });
});

test.each([
  ['a missing program', { code: 'ENOENT', syscall: 'spawn x', path: 'x' }],
  ['a socket without a listener', { code: 'ENOENT', syscall: 'connect', path: '/x.sock' }],
  ['an error with a similar code', { code: 'ENOENT' }],
  ['any other', {}],
])('does not treat as a file system error: %s', (_, fields) => {
  expect(problemOf(Object.assign(new Error('m'), fields))).toEqual({ code: 'internal_error', message: 'm' });
});

test('keeps the problem of a ReinsError', () => {
  expect(problemOf(new ReinsError({ code: 'run_locked', message: 'm' }))).toEqual({ code: 'run_locked', message: 'm' });
});
