import { expect, test } from '@jest/globals';
import { type KeepFacts, keepReason } from './keep-reason.ts';

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const facts = (more: Partial<KeepFacts> = {}): KeepFacts => ({
  archivedAt: at(10),
  isNeeded: false,
  children: [],
  ...more,
});
const rule = { archivedBefore: at(20), eventsFrom: at(15) };

test('a run expires when it is old enough and its events have left the log', () => {
  expect(keepReason(facts(), rule)).toBeUndefined();
  expect(keepReason(facts({ archivedAt: at(20) }), rule)).toBe('age');
  expect(keepReason(facts({ archivedAt: at(15) }), rule)).toBe('events');
  expect(keepReason(facts({ archivedAt: at(15) }), { ...rule, eventsFrom: undefined })).toBeUndefined();
});

test('a run is kept while something needs it', () => {
  expect(keepReason(facts({ isNeeded: true }), rule)).toBe('needed');
  expect(keepReason(facts({ parent: 'archived' }), rule)).toBe('parent');
  expect(keepReason(facts({ parent: 'open' }), rule)).toBe('parent');
  expect(keepReason(facts({ children: ['none', 'open'] }), rule)).toBe('child');
});

test('a child run expires after its parent, and a parent before its archived children', () => {
  expect(keepReason(facts({ parent: 'none' }), rule)).toBeUndefined();
  expect(keepReason(facts({ children: ['archived', 'none'] }), rule)).toBeUndefined();
});
