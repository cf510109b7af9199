import { ReinsError, STAGES } from '@reins/contracts';
import { z } from 'zod';
import { isObject, type JsonObject } from '../json.ts';
import { isPattern } from './pattern.ts';

/** The limits of a script: generous for authors, small for a machine. */
const MAX_STEPS = 1000;
const MAX_CASES = 200;
const MAX_TEXT = 1024 * 1024;
const MAX_WAIT_MS = 600_000;

const text = z.string().max(MAX_TEXT);
const milliseconds = z.number().int().min(0).max(MAX_WAIT_MS);
const pattern = z.string().min(1).max(10_000).refine(isPattern, 'not a regular expression');

/** Kept as it is: a Zod record would drop members with names such as `__proto__`. */
const json = z.custom<JsonObject>(isObject, 'not an object');

/** One tool call. The built-in kinds are mapped to the matching tool of the harness. */
const toolUse = z.union([
  z.strictObject({ kind: z.literal('write'), file: text.optional(), content: text.optional() }),
  z.strictObject({ kind: z.literal('shell'), command: text.optional() }),
  z.strictObject({ name: pattern, args: z.union([json, text]).optional() }),
]);

const step = z.strictObject({
  /** The text of the answer; may contain {{file}}, {{content}}, {{command}} and {{toolCount}}. */
  text: text.optional(),
  /** The reasoning before the text. */
  thinking: text.optional(),
  /** One tool call or several parallel ones. */
  tool: z.union([toolUse, z.array(toolUse).min(1).max(20)]).optional(),
  /** The text of the answer when the request offers no matching tool. */
  otherwise: text.optional(),
  /** The text of the answer when the last tool call failed. */
  failed: text.optional(),
  /** The HTTP status of an error response in the format of the protocol. */
  status: z.number().int().min(400).max(599).optional(),
  /** Seconds for the `Retry-After` header that goes with `status`. */
  retryAfter: z.number().int().min(0).max(3600).optional(),
  /** Only the first N requests of this scenario fail with `status`; later ones get the rest of the step. */
  failFirst: z.number().int().min(1).max(1000).optional(),
  /** Accept the request and never respond. */
  hang: z.boolean().optional(),
  /** Send half of the streamed answer, then destroy the socket. */
  cut: z.boolean().optional(),
  /** Respond with 200 and a body that violates the protocol. */
  garbage: z.boolean().optional(),
  /** The delay before the response. */
  delayMs: milliseconds.optional(),
  /** The delay between stream events. */
  chunkMs: milliseconds.optional(),
});

const steps = z.array(step).min(1).max(MAX_STEPS);

/** All given conditions must hold. */
const condition = z.strictObject({
  /** The stage and the minimum iteration in the marker lines of the request. */
  stage: z.enum(STAGES).optional(),
  fromIteration: z.number().int().min(1).max(1000).optional(),
  /** Matches the system prompt or a user message. */
  text: pattern.optional(),
  /** Matches the last user message with a request. */
  user: pattern.optional(),
  /** Matches the name of an offered tool. */
  offers: pattern.optional(),
});

const cases = z.strictObject({
  cases: z
    .array(z.strictObject({ when: condition.optional(), steps }))
    .min(1)
    .max(MAX_CASES),
});

export type ToolUse = z.infer<typeof toolUse>;
export type Step = z.infer<typeof step>;
export type Condition = z.infer<typeof condition>;
/** A script: a list of steps, or cases; the first case whose condition holds provides the steps. */
export type Script = z.infer<typeof steps> | z.infer<typeof cases>;

/** Validates a script. @throws ReinsError with all problems */
export function parseScript(name: string, value: unknown): Script {
  // The shape selects the schema, so that problems refer to the intended form.
  const parsed = Array.isArray(value) ? steps.safeParse(value) : cases.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ReinsError(
    parsed.error.issues.map((issue) => ({
      code: 'script_invalid' as const,
      message: `scenario "${name}": ${issue.message}`,
      path: [name, ...issue.path.map(String)].join('.'),
      hint: 'Write a list of steps, or { cases: [{ when, steps }] }.',
    })),
  );
}
