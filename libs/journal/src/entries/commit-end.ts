/** The entry that a commit ends with, as far as its bytes tell it at once. */
export interface CommitEnd {
  readonly type: string;
  readonly version: number;
}

/**
 * Which entry a commit ends with, without reading the rest of it: in canonical form its type and version are the last members before the
 * epoch, and no text of the data can stand there.
 * @returns undefined when the bytes do not end as a commit does
 */
export function endOfCommit(bytes: Uint8Array): CommitEnd | undefined {
  const tail = new TextDecoder().decode(bytes.subarray(-END_BYTES));
  const [, type, version] = END.exec(tail) ?? [];
  return type === undefined ? undefined : { type, version: Number(version) };
}

const END = /"type":"([A-Z_]+)","version":(\d{1,16})\}\],"epoch":\d{1,16}\}$/;
const END_BYTES = 128;
