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
  ['a folder that is not there', () => writeFileSync('/no/such/folder/x', ''), 'ENOENT', '/no/such/folder/x'],
  ['a folder in place of a file', () => writeFileSync('/', ''), 'EISDIR', '/'],
])('an error of the file system has a code, a place and a hint: %s', (_, work, errno, path) => {
  const { hint, message, ...problem } = problemOf(thrownBy(work));
  expect(problem).toEqual({ code: 'storage_failed', path });
  expect(message).toMatch(new RegExp(`^${path}: .+\\(${errno}, open\\)$`));
  expect(hint).toEqual(expect.any(String));
});

test('where the error names no file, neither does the problem', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  expect(problemOf(full)).toEqual({
    code: 'storage_failed',
    message: 'the disk is full (ENOSPC, write)',
    hint: 'make room there, then do it again',
  });
});

test.each([
  ['a program that is not there', { code: 'ENOENT', syscall: 'spawn x', path: 'x' }],
  ['a socket that nobody listens at', { code: 'ENOENT', syscall: 'connect', path: '/x.sock' }],
  ['an error that only looks alike', { code: 'ENOENT' }],
  ['any other', {}],
])('is not one of files: %s', (_, fields) => {
  expect(problemOf(Object.assign(new Error('m'), fields))).toEqual({ code: 'internal_error', message: 'm' });
});

test('what has problems of its own keeps them', () => {
  expect(problemOf(new ReinsError({ code: 'run_locked', message: 'm' }))).toEqual({ code: 'run_locked', message: 'm' });
});
