import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');
export const PROTO = join(ROOT, 'proto');
/** buf's executable. */
export const BUF = join(dirname(createRequire(import.meta.url).resolve('@bufbuild/buf/package.json')), 'bin/buf');
/** The contract as it was last released, as a descriptor set. */
export const RELEASED = join(PROTO, 'released.binpb');
/** Bodies of every type, as they were when the type came to be. */
export const BODIES = join(ROOT, 'testdata/events/v1');
