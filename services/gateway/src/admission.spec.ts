import { expect, test } from '@jest/globals';
import { Admission } from './admission.ts';

test('admits up to the limit, counts each request once, and admits more when one has ended', () => {
  const admission = new Admission({ maxOpen: 2, unavailable: () => undefined });
  admission.opened('a');
  admission.opened('a');
  admission.admit();
  admission.opened('b');
  expect(() => admission.admit()).toThrow(expect.objectContaining({ code: 'admission_limited' }));
  admission.closed('unknown');
  admission.closed('a');
  admission.admit();
  expect(admission.open).toBe(1);
});

test('forgets open requests on reset and counts new ones', () => {
  const admission = new Admission({ maxOpen: 1, unavailable: () => undefined });
  admission.opened('missed-end');
  admission.reset();
  admission.admit();
  admission.opened('b');
  expect(() => admission.admit()).toThrow(expect.objectContaining({ code: 'admission_limited' }));
});

test('refuses requests while the bus is unavailable, with the reason', () => {
  const admission = new Admission({ maxOpen: 2, unavailable: () => 'the bus is disconnected' });
  expect(() => admission.admit()).toThrow(/the bus is disconnected/);
});
