import { describe, expect, test } from '@jest/globals';
import { Quotas } from './quotas.ts';

const RESUME = 'command.run.resume';
const refused = expect.objectContaining({ code: 'quota_exceeded' });

describe('quotas', () => {
  test('refuse the calls of one key beyond its limit, and refill over a minute', () => {
    let now = 0;
    const quotas = new Quotas({ callsPerKey: 2, commandsPerRequest: 100 }, () => now);
    quotas.countCall('a');
    quotas.countCall('a');
    expect(() => quotas.countCall('a')).toThrow(refused);
    quotas.countCall('b');
    now = 30_000;
    quotas.countCall('a');
    expect(() => quotas.countCall('a')).toThrow(/more than 2 calls per minute/);
    now = 600_000;
    quotas.countCall('a');
    quotas.countCall('a');
    expect(() => quotas.countCall('a')).toThrow(refused);
  });

  test('refuse commands to one request only, and keep counting when there are very many requests', () => {
    const quotas = new Quotas({ callsPerKey: 1, commandsPerRequest: 1 }, () => 0);
    for (let request = 0; request < 10_010; request += 1) quotas.countCommand(`r${request}`, 'a', RESUME);
    expect(() => quotas.countCommand('r0', 'a', RESUME)).toThrow(
      expect.objectContaining({ code: 'quota_exceeded', path: 'id' }),
    );
    quotas.countCommand('another', 'a', RESUME);
  });

  test('count the commands of each key to a request apart, and keep room for other commands than signals', () => {
    const quotas = new Quotas({ callsPerKey: 1, commandsPerRequest: 20 }, () => 0);
    for (let signal = 0; signal < 18; signal += 1) quotas.countCommand('r', 'flood', 'command.signal');
    expect(() => quotas.countCommand('r', 'flood', 'command.signal')).toThrow(refused);
    quotas.countCommand('r', 'flood', RESUME);
    quotas.countCommand('r', 'flood', RESUME);
    expect(() => quotas.countCommand('r', 'flood', RESUME)).toThrow(refused);
    quotas.countCommand('r', 'person', RESUME);
  });

  test('say how long it takes until the next call is accepted', () => {
    let now = 0;
    const quotas = new Quotas({ callsPerKey: 2, commandsPerRequest: 20 }, () => now);
    quotas.countCall('a');
    quotas.countCall('a');
    now = 15_000;
    expect(() => quotas.countCall('a')).toThrow(expect.objectContaining({ retryAfterMs: 15_000 }));
    now = 30_000;
    quotas.countCall('a');
    for (let signal = 0; signal < 18; signal += 1) quotas.countCommand('r', 'a', 'command.signal');
    expect(() => quotas.countCommand('r', 'a', 'command.signal')).toThrow(
      expect.objectContaining({ retryAfterMs: 3_000 }),
    );
  });
});
