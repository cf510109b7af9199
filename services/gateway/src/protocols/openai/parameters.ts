import type { JsonObject, JsonValue, Problem } from '@reins/contracts';

/** How a call treats a parameter of OpenAI. */
export type Parameter =
  /** It has an effect. */
  | 'used'
  /** It is accepted without an effect: the workspace and the runtime determine the sampling. */
  | 'ignored'
  | Refusal;

/** A parameter that the protocol cannot honour. */
export interface Refusal {
  /** Whether a value asks for nothing that is not supported. */
  readonly allows: (value: JsonValue) => boolean;
  readonly reason: string;
  readonly hint: string;
}

export const invalid = (path: string, message: string): Problem => ({ code: 'request_invalid', message, path });

export const unsupported = (path: string, message: string, hint: string): Problem => ({
  code: 'parameter_unsupported',
  message,
  path,
  hint,
});

const isEmpty = (value: JsonValue): boolean => Array.isArray(value) && value.length === 0;
const never = (): boolean => false;

/** The tools of a client would bypass the inventory and the policy of the workspace. */
export const CLIENT_TOOLS: Refusal = {
  allows: isEmpty,
  reason: 'tools of the client are not supported: the workspace determines the tools of a run',
  hint: 'Add the tool to the workspace, or remove it from the call.',
};

export const TOOL_CHOICE: Refusal = {
  allows: (value) => value === 'auto' || value === 'none',
  reason: 'the workspace determines the tools of a run',
  hint: 'Use auto, or remove tool_choice.',
};

export const notSupported = (what: string, allows: Refusal['allows'] = never): Refusal => ({
  allows,
  reason: `${what} is not supported`,
  hint: 'Remove the parameter.',
});

/** The problems of a body with its parameters: those that are unknown, and those that cannot be honoured. */
export function parameterProblems(body: JsonObject, known: Readonly<Record<string, Parameter>>): readonly Problem[] {
  return Object.entries(body).flatMap(([name, value]) => {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) return [invalid(name, `unknown parameter ${name}`)];
    if (typeof parameter === 'string' || value === null || value === undefined || parameter.allows(value)) return [];
    return [unsupported(name, parameter.reason, parameter.hint)];
  });
}
