import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';
import type { Commit } from '../store/journal-store.ts';

/** Makes gzip of a part. */
export type Compress = (body: Uint8Array) => Promise<Uint8Array>;

const gzipped = promisify(gzip);

/** Fast rather than small: it is read more often than it is moved. */
export const compressed: Compress = (body) => gzipped(body, { level: 1 });

/** Commits, as they lie in the stream, as one object. */
export function encodePart(commits: readonly Uint8Array[], compress: Compress): Promise<Uint8Array> {
  const body = commits.flatMap((commit, index) => (index === 0 ? [commit] : [COMMA, commit]));
  return compress(Buffer.concat([OPEN, ...body, CLOSE]));
}

/** The commits of a part whose hash is right. */
export function decodePart(part: Uint8Array): readonly Commit[] {
  return JSON.parse(gunzipSync(part).toString()) as Commit[];
}

const [OPEN, COMMA, CLOSE] = ['[', ',', ']'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer];
