import { expect, test } from '@jest/globals';
import { SettledPosition } from './settled-position.ts';

test('is the position of the last commit, as long as the facts of all commits are published', () => {
  const position = new SettledPosition();
  position.appended('a', 3);
  position.appended('b', 5);
  expect(position.value).toBe(2);
  position.settled('a');
  expect(position.value).toBe(4);
  position.settled('b');
  expect(position.value).toBe(5);
});

test('does not pass an append without an answer, whose commit may be stored', () => {
  const position = new SettledPosition();
  position.advanceTo(3);
  position.appending('lost');
  position.appending('b');
  position.appended('b', 6);
  position.settled('b');
  expect(position.value).toBe(3);
  position.settled('lost');
  expect(position.value).toBe(6);
});

test('passes an append that stored nothing, but not an earlier one of the same run', () => {
  const position = new SettledPosition();
  position.advanceTo(3);
  const refused = position.appending('a');
  position.advanceTo(4);
  expect(position.value).toBe(3);
  refused();
  expect(position.value).toBe(4);
  position.appending('a');
  position.advanceTo(9);
  position.appending('a')();
  expect(position.value).toBe(4);
});

test('goes back with a stream that was set back, also for runs whose facts are not published', () => {
  const position = new SettledPosition();
  position.appended('a', 8);
  position.appended('b', 9);
  position.settled('b');
  position.setBackTo(5);
  expect(position.value).toBe(5);
  position.appended('c', 6);
  position.settled('c');
  expect(position.value).toBe(5);
  position.settled('a');
  expect(position.value).toBe(6);
});
