/** Delivery metadata that the server encodes in the acknowledgement subject. */
export interface Delivery {
  readonly stream: string;
  readonly consumer: string;
  /** Number of deliveries, including this one. */
  readonly deliveries: number;
  readonly streamSeq: number;
  readonly consumerSeq: number;
  readonly timeMs: number;
  /** Number of matching messages after this one. */
  readonly pending: number;
}

const V1_TOKENS = 9;
/** Servers since 2.12 may insert the domain and the account hash before the stream. */
const V2_EXTRA = 2;
/** Nanoseconds exceed the safe integer range, so the digits below a millisecond are cut off as text. */
const DIGITS_BELOW_MS = 6;

/** Returns undefined when the subject is not that of a JetStream delivery. */
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
