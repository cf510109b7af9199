import { ReinsError, STAGES } from '@reins/contracts';
import { z } from 'zod';
import { isObject, type JsonObject } from '../json.ts';
import { isPattern } from './pattern.ts';

/** Bounds of what a script may hold; generous for a person, small for a machine. */
const MAX_STEPS = 1000;
const MAX_CASES = 200;
const MAX_TEXT = 1024 * 1024;
const MAX_WAIT_MS = 600_000;

const text = z.string().max(MAX_TEXT);
const milliseconds = z.number().int().min(0).max(MAX_WAIT_MS);
const pattern = z.string().min(1).max(10_000).refine(isPattern, 'not a regular expression');

/** Taken over as it is: a record of the schema library's would leave out members with names such as `__proto__`. */
const json = z.custom<JsonObject>(isObject, 'not an object');

/** One tool call. The built-in kinds are mapped onto whatever tool the harness offers for them. */
const toolUse = z.union([
  z.strictObject({ kind: z.literal('write'), file: text.optional(), content: text.optional() }),
  z.strictObject({ kind: z.literal('shell'), command: text.optional() }),
  z.strictObject({ name: pattern, args: z.union([json, text]).optional() }),
]);

const step = z.strictObject({
  /** Final or leading text; may hold {{file}}, {{content}}, {{command}} and {{toolCount}}. */
  text: text.optional(),
  /** Reasoning shown before the text. */
  thinking: text.optional(),
  /** A tool call, or several calls at once. */
  tool: z.union([toolUse, z.array(toolUse).min(1).max(20)]).optional(),
  /** The text to answer with when the request offers no tool that fits. */
  otherwise: text.optional(),
  /** Answer with this HTTP status in the protocol's own error form. */
  status: z.number().int().min(400).max(599).optional(),
  /** Seconds for the `Retry-After` header that goes with `status`. */
  retryAfter: z.number().int().min(0).max(3600).optional(),
  /** Only the first N requests of this server and scenario get `status`; later ones get the rest of the step. */
  failFirst: z.number().int().min(1).max(1000).optional(),
  /** Accept the request and never answer. */
  hang: z.boolean().optional(),
  /** Send half of the streamed answer, then destroy the socket. */
  cut: z.boolean().optional(),
  /** Answer 200 with bytes that are not the protocol. */
  garbage: z.boolean().optional(),
  /** Wait before answering. */
  delayMs: milliseconds.optional(),
  /** Wait between stream events. */
  chunkMs: milliseconds.optional(),
});

const steps = z.array(step).min(1).max(MAX_STEPS);

/** All that is given must hold. */
const condition = z.strictObject({
  /** The stage and the lowest iteration that the request's marker lines tell. */
  stage: z.enum(STAGES).optional(),
  fromIteration: z.number().int().min(1).max(1000).optional(),
  /** Found in the system prompt or in a user message. */
  text: pattern.optional(),
  /** Found in the last user message that asks for something. */
  user: pattern.optional(),
  /** A tool whose name matches is offered. */
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
/** A script: the same steps for every request, or the steps of the first case whose condition holds. */
export type Script = z.infer<typeof steps> | z.infer<typeof cases>;

/** Reads a script, or throws a `ReinsError` with everything that is wrong with it. */
export function parseScript(name: string, value: unknown): Script {
  // Chosen by the shape, so that what is wrong is told of the form that was meant.
  const parsed = Array.isArray(value) ? steps.safeParse(value) : cases.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ReinsError(
    parsed.error.issues.map((issue) => ({
      code: 'script_invalid' as const,
      message: `scenario "${name}": ${issue.message}`,
      path: [name, ...issue.path.map(String)].join('.'),
      hint: 'a scenario is a list of steps, or { cases: [{ when, steps }] }',
    })),
  );
}
