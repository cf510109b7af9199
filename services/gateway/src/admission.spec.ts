import { expect, test } from '@jest/globals';
import { Admission } from './admission.ts';

test('admits up to its limit, counts each request once, and again when one has ended', () => {
  const admission = new Admission({ maxOpen: 2, unavailable: () => undefined });
  admission.began('a');
  admission.began('a');
  admission.admit();
  admission.began('b');
  expect(() => admission.admit()).toThrow(expect.objectContaining({ code: 'admission_limited' }));
  admission.ended('unknown');
  admission.ended('a');
  admission.admit();
  expect(admission.open).toBe(1);
});

test('counts nothing of before it forgot, and everything since', () => {
  const admission = new Admission({ maxOpen: 1, unavailable: () => undefined });
  admission.began('its end was missed');
  admission.forget();
  admission.admit();
  admission.began('b');
  expect(() => admission.admit()).toThrow(expect.objectContaining({ code: 'admission_limited' }));
});

test('admits nothing while the bus is away, and says so', () => {
  const admission = new Admission({ maxOpen: 2, unavailable: () => 'the bus is disconnected' });
  expect(() => admission.admit()).toThrow(/the bus is disconnected/);
});
