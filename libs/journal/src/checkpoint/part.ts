import { promisify } from 'node:util';
import { gunzipSync, gzip } from 'node:zlib';

/** Makes gzip of a part. */
export type Compress = (body: Uint8Array) => Promise<Uint8Array>;

const gzipped = promisify(gzip);

/** Fast rather than small: it is made while the run works. */
export const compressed: Compress = (body) => gzipped(body, { level: 1 });

/** Commits, as they lie in the stream, as one object: each a line, which canonical JSON is. */
export const encodePart = (commits: readonly Uint8Array[], compress: Compress): Promise<Uint8Array> =>
  compress(Buffer.concat(commits.flatMap((commit) => [commit, LINE_END])));

/** The commits in a part. @throws what zlib says */
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
