import { type Bus, openBucket, type TypedBucket } from '@reins/bus';
import { isToken, type JsonObject, ReinsError } from '@reins/contracts';

/** A message of the input of a response, without the bytes of its files. */
export interface StoredMessage {
  readonly role: string;
  readonly text: string;
  readonly fileNames: readonly string[];
}

/** What a response has next to its request. */
export interface ResponseRecord {
  readonly requestId: string;
  /** The response is in the events of the request after this sequence. */
  readonly afterSeq: number;
  readonly createdAt: string;
  readonly model: string;
  readonly background: boolean;
  readonly store: boolean;
  readonly instructions: string | null;
  readonly previousResponseId: string | null;
  readonly conversation: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  /** The JSON Schema of the output. */
  readonly schema: JsonObject | null;
  readonly effort: string | null;
  readonly user: string | null;
  readonly input: readonly StoredMessage[];
}

const PREFIX = 'resp_';
/** How long responses can be retrieved. Their requests stay. */
const TTL_MS = 30 * 24 * 60 * 60 * 1000;

/** The id of a response: that of its request, and where it begins if the request had earlier responses. */
export const responseId = ({ requestId, afterSeq }: Pick<ResponseRecord, 'requestId' | 'afterSeq'>): string =>
  afterSeq === 0 ? `${PREFIX}${requestId}` : `${PREFIX}${requestId}_${afterSeq}`;

/** The stored responses: keys `response.<id>` of the bucket `requests`. */
export class ResponseRecords {
  readonly #bucket: TypedBucket<ResponseRecord>;

  private constructor(bucket: TypedBucket<ResponseRecord>) {
    this.#bucket = bucket;
  }

  static async open(bus: Bus): Promise<ResponseRecords> {
    return new ResponseRecords(await openBucket<ResponseRecord>(bus, 'requests'));
  }

  /** Stores a response. A repeated call stores it once. */
  async keep(record: ResponseRecord): Promise<void> {
    await this.#bucket.create(keyOf(responseId(record)), record, TTL_MS);
  }

  async find(id: string): Promise<ResponseRecord | undefined> {
    if (!id.startsWith(PREFIX) || !isToken(id)) return undefined;
    return (await this.#bucket.get(keyOf(id)))?.value;
  }

  /** @throws ReinsError `response_not_found` */
  async get(id: string): Promise<ResponseRecord> {
    const record = await this.find(id);
    if (record) return record;
    throw new ReinsError({
      code: 'response_not_found',
      message: 'the response does not exist, was deleted, or was not stored',
      path: 'response_id',
    });
  }

  /** Removes a response. Its request and its events stay. */
  async remove(id: string): Promise<void> {
    await this.#bucket.delete(keyOf(id));
  }
}

const keyOf = (id: string): string => `response.${id}`;
