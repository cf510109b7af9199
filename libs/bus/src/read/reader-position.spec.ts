import { describe, expect, it } from '@jest/globals';
import { type ReaderGap, ReaderPosition } from './ordered-reader.ts';

const stream = (first: number, last: number, created = 'then') => ({
  created,
  state: { first_seq: first, last_seq: last },
});

function placeAt(start: number | 'new') {
  const gaps: ReaderGap[] = [];
  return { place: new ReaderPosition(start, (gap) => gaps.push(gap)), gaps };
}

describe('the position of a reader', () => {
  it('starts at the requested sequence, or after the last message', () => {
    expect(placeAt(1).place.startAt(stream(5, 9))).toMatchObject({ opt_start_seq: 1 });
    expect(placeAt('new').place.startAt(stream(5, 9))).toMatchObject({ opt_start_seq: 10 });
    expect(placeAt('new').place.startAt(stream(0, 0))).toMatchObject({ opt_start_seq: 1 });
  });

  it('continues after the last message without a gap', () => {
    const { place, gaps } = placeAt(1);
    place.startAt(stream(1, 9));
    place.advanceTo(7);
    expect(place.startAt(stream(3, 20))).toMatchObject({ opt_start_seq: 8 });
    expect(gaps).toEqual([]);
  });

  it('detects messages that the limits of the stream removed', () => {
    const { place, gaps } = placeAt(1);
    place.advanceTo(7);
    expect(place.startAt(stream(12, 20))).toMatchObject({ opt_start_seq: 12 });
    expect(gaps).toEqual([{ reason: 'trimmed', expectedSeq: 8, nextSeq: 12 }]);
  });

  it('detects a stream that was reset to an earlier state', () => {
    const { place, gaps } = placeAt(1);
    place.advanceTo(100);
    expect(place.startAt(stream(1, 90))).toMatchObject({ opt_start_seq: 91 });
    expect(gaps).toEqual([{ reason: 'rewound', expectedSeq: 101, nextSeq: 91 }]);
  });

  it('detects a different stream with the same name', () => {
    const { place, gaps } = placeAt(1);
    place.startAt(stream(1, 9));
    place.advanceTo(9);
    expect(place.startAt(stream(1, 200, 'later'))).toMatchObject({ opt_start_seq: 1 });
    expect(gaps).toEqual([{ reason: 'replaced', expectedSeq: 10, nextSeq: 1 }]);
  });
});
