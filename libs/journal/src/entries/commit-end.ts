/** The last entry of a commit, as far as the last bytes of the commit show it. */
export interface CommitEnd {
  readonly type: string;
  readonly version: number;
}

/**
 * Finds the last entry of a commit without parsing all of it. In canonical form its type and version are the last
 * members before the epoch, and no string of the data can match there.
 * @returns undefined when the bytes do not end like a commit
 */
export function endOfCommit(bytes: Uint8Array): CommitEnd | undefined {
  const tail = new TextDecoder().decode(bytes.subarray(-END_BYTES));
  const [, type, version] = END.exec(tail) ?? [];
  return type === undefined ? undefined : { type, version: Number(version) };
}

const END = /"type":"([A-Z_]+)","version":(\d{1,16})\}\],"epoch":\d{1,16}\}$/;
const END_BYTES = 128;
