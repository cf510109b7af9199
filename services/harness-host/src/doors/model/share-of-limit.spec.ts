import { expect, test } from '@jest/globals';
import type { HarnessOffer } from '@reins/contracts';
import { modelHosts, shareOfLimit } from './share-of-limit.ts';

const offer = (hostId: string, ...capabilities: string[]): HarnessOffer => ({
  ...{ hostId, capabilities, runtimeId: 'pi', version: '1', healthy: true, slots: 1 },
});

test('the hosts of a limit are those whose runtimes call models, and the host itself', () => {
  expect(modelHosts([offer('b', 'model'), offer('c', 'images'), offer('b', 'model')], 'a')).toEqual(['a', 'b']);
  expect(modelHosts([], 'a')).toEqual(['a']);
});

test('the parts of a limit add up to it, and each host may make a call', () => {
  const hosts = ['a', 'b', 'c'];
  const parts = (limit: number) => hosts.map((id) => shareOfLimit(limit, hosts, id));
  expect(parts(10)).toEqual([4, 3, 3]);
  expect(parts(3)).toEqual([1, 1, 1]);
  expect(parts(2)).toEqual([1, 1, 1]);
  expect(shareOfLimit(10, ['a'], 'a')).toBe(10);
});
