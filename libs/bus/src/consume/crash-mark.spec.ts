import { describe, expect, it } from '@jest/globals';
import { type CrashMark, crashesOf, NO_MARK, withAttempt, withOutlived, withoutAttempt } from './crash-mark.ts';

const marked = (count: number): CrashMark =>
  Array.from({ length: count }, (_, i) => ({ id: `a${i}`, by: `process ${i}` })).reduce(withAttempt, NO_MARK);

describe('the mark of a suspected message', () => {
  it('counts the attempts of other processes', () => {
    expect(crashesOf(NO_MARK, 'process 0')).toBe(0);
    expect(crashesOf(marked(3), 'process 0')).toBe(2);
    expect(crashesOf(marked(3), 'another process')).toBe(3);
  });

  it('counts an attempt that outlived its probation as a quarter', () => {
    expect(crashesOf(withOutlived(marked(2), 'a1'), 'another process')).toBe(1.25);
    expect(withOutlived(NO_MARK, 'a1')).toEqual(NO_MARK);
  });

  it('counts neither an attempt that ended without a crash nor those before it', () => {
    expect(withoutAttempt(marked(3), 'a1')).toEqual({ attempts: [{ id: 'a2', by: 'process 2' }] });
    expect(withoutAttempt(marked(3), 'a2')).toEqual(NO_MARK);
    expect(withoutAttempt(marked(2), 'removed before')).toEqual(marked(2));
  });

  it('keeps a bounded number of attempts', () => {
    expect(marked(100).attempts).toHaveLength(32);
    expect(marked(100).attempts.at(-1)?.id).toBe('a99');
  });
});
