import type { TypedBucket } from '@reins/bus';
import type { Bucket } from '../server/bucket.ts';
import type { Machine } from './machine.ts';

/** A machine's access to a bucket. A write may be applied twice, like a retry after a lost response: the second one is refused. */
export function bucketOf<T>(
  machine: Machine,
  bucket: Bucket<T>,
  what: string,
): Pick<TypedBucket<T>, 'get' | 'put' | 'create' | 'update'> {
  const twice = <R>(write: () => R): R => {
    const first = write();
    return machine.random.chance(machine.faults.unanswered) ? write() : first;
  };
  return {
    get: (key) => machine.call(`read ${what}`, () => bucket.get(key)),
    put: (key, value) => machine.call(`put ${what}`, () => bucket.put(key, value)),
    create: (key, value) => machine.call(`create ${what}`, () => twice(() => bucket.create(key, value))),
    update: (key, value, revision) =>
      machine.call(`write ${what}`, () => twice(() => bucket.update(key, value, revision))),
  };
}
