import { isObject, type JsonObject, type JsonValue } from '@reins/contracts';

/** A person's decision, as an answer to a breakpoint or an approval gives it. */
export interface GivenDecision {
  readonly decision: 'approved' | 'denied';
  readonly feedback?: string;
  /** The person who decided, if the answer names one. */
  readonly respondedBy?: string;
  /** What the process receives. */
  readonly value: JsonObject;
}

/** What an answer to a breakpoint must look like; for messages. */
export const DECISION_FORM = '"approve", "deny", or {"approved": true | false, "feedback": "<text>"}';

const WORDS: Readonly<Record<string, boolean>> = { approve: true, approved: true, deny: false, denied: false };
const TEXTS: ReadonlySet<string> = new Set(['feedback', 'response', 'option', 'respondedBy']);

/**
 * Reads an answer as a decision. Only an explicit decision is one: a text such as `no` is neither.
 * @returns undefined if the answer has another form
 */
export function givenDecision(answer: JsonValue | undefined): GivenDecision | undefined {
  if (typeof answer === 'string') {
    const approved = Object.hasOwn(WORDS, answer) ? WORDS[answer] : undefined;
    return approved === undefined ? undefined : decisionOf({ approved });
  }
  return isObject(answer) ? decisionOf(answer as JsonObject) : undefined;
}

function decisionOf(value: JsonObject): GivenDecision | undefined {
  const { approved, feedback = value.response, respondedBy } = value;
  if (typeof approved !== 'boolean' || !Object.entries(value).every(isAllowed)) return undefined;
  return {
    decision: approved ? 'approved' : 'denied',
    ...(typeof feedback === 'string' && { feedback }),
    ...(typeof respondedBy === 'string' && { respondedBy }),
    value,
  };
}

const isAllowed = ([name, value]: [string, JsonValue | undefined]): boolean =>
  name === 'approved' ||
  (TEXTS.has(name) && typeof value === 'string') ||
  (name === 'allResponses' && Array.isArray(value));
