import { describe, expect, it } from '@jest/globals';
import type { Entry, EntryDraft } from '@reins/journal';
import { isSame } from './same-decision.ts';

const failure = (code: 'process_failed' | 'process_invalid' | 'replay_ambient', message: string): EntryDraft => ({
  type: 'RUN_FAILED',
  data: { error: { code, message } },
});
const recorded = (draft: EntryDraft): Entry =>
  ({ ...draft, seq: 2, id: 'e2', recordedAt: '2026-01-01T00:00:00.000Z', prev: '', hash: '' }) as unknown as Entry;

describe('comparing the failure of a process with the recorded one', () => {
  it('compares the message that the process wrote', () => {
    const draft = failure('process_failed', 'no stock');
    expect(isSame(recorded(draft), draft)).toBe(true);
    expect(isSame(recorded(draft), failure('process_failed', 'sold out'))).toBe(false);
  });

  it('ignores how a version of Reins words a nondeterministic call', () => {
    const earlier = failure('replay_ambient', 'fetch would not be the same when the run is replayed');
    expect(isSame(recorded(earlier), failure('replay_ambient', 'fetch is nondeterministic'))).toBe(true);
  });

  it('ignores how a version of Reins words a wrong call', () => {
    const earlier = failure('process_invalid', 'the label must be a string, not 1');
    expect(isSame(recorded(earlier), failure('process_invalid', 'the label must be a string (got 1)'))).toBe(true);
    expect(isSame(recorded(earlier), failure('process_failed', 'the label must be a string, not 1'))).toBe(false);
  });
});
