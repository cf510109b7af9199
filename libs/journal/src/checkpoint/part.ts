import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';

/** Compresses a part with gzip. */
export type Compress = (body: Uint8Array) => Promise<Uint8Array>;

const gzipped = promisify(gzip);

/** Fast rather than small, because the run is active meanwhile. */
export const compressed: Compress = (body) => gzipped(body, { level: 1 });

/**
 * Joins commits, unchanged from the stream, into one object with one line per commit. Canonical JSON has no line
 * breaks.
 */
export const encodePart = (commits: readonly Uint8Array[], compress: Compress): Promise<Uint8Array> =>
  compress(Buffer.concat(commits.flatMap((commit) => [commit, LINE_END])));

/** The commits in a part. @throws the error of zlib when the part cannot be decompressed */
export function decodePart(part: Uint8Array): Uint8Array[] {
  const body = gunzipSync(part);
  const commits: Uint8Array[] = [];
  let start = 0;
  for (let end = body.indexOf(LINE_END); end >= 0; end = body.indexOf(LINE_END, start)) {
    commits.push(body.subarray(start, end));
    start = end + 1;
  }
  return commits;
}

const LINE_END = Buffer.from('\n');
