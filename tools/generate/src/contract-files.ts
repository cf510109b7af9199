import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');
export const PROTO = join(ROOT, 'proto');
/** Path of the buf executable. */
export const BUF = join(dirname(createRequire(import.meta.url).resolve('@bufbuild/buf/package.json')), 'bin/buf');
/** The contract of the last release, as a descriptor set. */
export const RELEASED = join(PROTO, 'released.binpb');
/** Example bodies of every type, recorded when the type was added. */
export const BODIES = join(ROOT, 'testdata/events/v1');
