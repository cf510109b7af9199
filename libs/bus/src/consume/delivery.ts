/** What the server tells about a delivery, in the subject that its acknowledgement goes to. */
export interface Delivery {
  readonly stream: string;
  readonly consumer: string;
  /** How often it was delivered, this time included. */
  readonly deliveries: number;
  readonly streamSeq: number;
  readonly consumerSeq: number;
  readonly timeMs: number;
  /** How many matching messages come after it. */
  readonly pending: number;
}

const V1_TOKENS = 9;
/** Since 2.12 servers may add the domain and the account's hash in front of the stream. */
const V2_EXTRA = 2;
/** Nanoseconds of today are more than a number holds exactly, so the digits below a millisecond are cut off as text. */
const DIGITS_BELOW_MS = 6;

/** Undefined when the subject is not one of a JetStream delivery. */
export function parseDelivery(replySubject: string): Delivery | undefined {
  const tokens = replySubject.split('.');
  if (tokens[0] !== '$JS' || tokens[1] !== 'ACK' || tokens.length < V1_TOKENS) return undefined;
  const at = tokens.length === V1_TOKENS ? 2 : 2 + V2_EXTRA;
  const number = (index: number): number => Number(tokens[at + index]);
  return {
    stream: tokens[at] ?? '',
    consumer: tokens[at + 1] ?? '',
    deliveries: number(2),
    streamSeq: number(3),
    consumerSeq: number(4),
    timeMs: Number(tokens[at + 5]?.slice(0, -DIGITS_BELOW_MS)),
    pending: number(6),
  };
}
