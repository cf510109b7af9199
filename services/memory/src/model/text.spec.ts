import { describe, expect, it, test } from '@jest/globals';
import { folded, isNearDuplicate, similarity } from './text.ts';

test('a folded text has no case, accents, punctuation and repeated spaces', () => {
  expect(folded('  Café,\n"Ärger"—2.5% ')).toBe('cafe arger 2 5');
});

test('similarity is that of pg_trgm', () => {
  expect(similarity('word', 'two words')).toBeCloseTo(0.363636, 5);
  expect(similarity('same', 'same')).toBe(1);
  expect(similarity('abc', 'xyz')).toBe(0);
});

describe('a near duplicate', () => {
  const TEXT = 'Ann reviews each change of the payment service before it is deployed to production';

  it.each([
    ['case and punctuation', 'ann reviews each change of the payment service, before it is deployed to production!'],
    ['spelling', 'Ann reviews each change of the payment services before it is deployed to production'],
    ['order', 'before it is deployed to production Ann reviews each change of the payment service'],
  ])('differs only in %s', (_, other) => {
    expect([isNearDuplicate(TEXT, other), isNearDuplicate(other, TEXT)]).toEqual([true, true]);
  });

  it.each([
    ['a name', 'Anna reviews each change of the payment service before it is deployed to production'],
    ['a word', 'Ann reviews each change of the payment service before it is deployed to staging'],
    ['a negation', 'Ann never reviews each change of the payment service before it is deployed to production'],
    ['a number', `${TEXT} in 10 minutes`],
  ])('is not a text that differs in %s', (_, other) => {
    expect([isNearDuplicate(TEXT, other), isNearDuplicate(other, TEXT)]).toEqual([false, false]);
  });

  it('is not a text with another number', () => {
    const text = (limit: number) => `the public interface accepts at most ${limit} calls per minute from one client`;
    expect(isNearDuplicate(text(100), text(101))).toBe(false);
  });
});
