import { preparsePolicySet, statefulIsAuthorized } from '@cedar-policy/cedar-wasm/nodejs';
import type { CedarRequest } from './tool-call.ts';

/** One policy of a file. */
export interface Policy {
  /** Its annotation `@id`, or else `<file>:<line>:<column>`. */
  readonly policyId: string;
  readonly effect: 'permit' | 'forbid';
  /** The groups of its annotation `@approval`. Absent: it permits without an approval. */
  readonly groups?: readonly string[];
  /** Its text. */
  readonly text: string;
}

/** The outcome of one policy set for a call. */
export type Evaluation =
  | { readonly effect: 'allow'; readonly policyId: string }
  | { readonly effect: 'deny'; readonly policyId: string; readonly reason: string }
  | { readonly effect: 'ask'; readonly policyId: string; readonly groups: readonly string[] };

/** How many sets Cedar keeps parsed. It has no call that removes one, so their names are used again. */
const MAX_PARSED = 64;
/** The parsed sets, by the name that Cedar knows them by. The one that was used last is last. */
const parsed = new Map<string, Policies>();

/** A set of policies of one owner: the installation or a workspace. */
export class Policies {
  readonly policies: readonly Policy[];
  #name: string | undefined;

  constructor(policies: readonly Policy[]) {
    this.policies = policies;
  }

  /**
   * Evaluates the set: any matching `forbid`, any error, or no matching `permit` denies. A matching `permit` without
   * `@approval` allows; otherwise the call needs an approval. Never throws: an error denies.
   */
  evaluate(request: CedarRequest): Evaluation {
    try {
      return this.#evaluate(request);
    } catch (error) {
      // Cedar throws for values that it cannot read.
      return failed('the call cannot be evaluated', String((error as Error).message));
    }
  }

  #evaluate(request: CedarRequest): Evaluation {
    const call = { ...request, preparsedPolicySetId: this.#prepare() };
    const answer = statefulIsAuthorized(call);
    if (answer.type === 'failure') return failed('the call cannot be evaluated', answer.errors[0]?.message ?? '');
    const { reason, errors } = answer.response.diagnostics;
    const matching = reason.map((index) => this.policies[Number(index)] as Policy);
    const forbid = matching.find(({ effect }) => effect === 'forbid');
    if (forbid) return denied(forbid.policyId, `the policy '${forbid.policyId}' forbids this call`);
    const [error] = errors;
    if (error) {
      const { policyId } = this.policies[Number(error.policyId)] as Policy;
      return denied(policyId, `the policy '${policyId}' failed: ${error.error.message}`);
    }
    if (matching.length === 0) return denied('no_permit', 'no policy permits this call');
    const free = matching.find(({ groups }) => groups === undefined);
    if (free) return { effect: 'allow', policyId: free.policyId };
    const groups = [...new Set(matching.flatMap((policy) => policy.groups ?? []))].sort();
    return { effect: 'ask', policyId: matching[0]?.policyId ?? '', groups };
  }

  /** Returns the name by which Cedar knows the parsed set. */
  #prepare(): string {
    const known = this.#name !== undefined && parsed.get(this.#name) === this ? this.#name : undefined;
    const name = known ?? (parsed.size < MAX_PARSED ? `set-${parsed.size}` : (parsed.keys().next().value as string));
    parsed.delete(name);
    if (known === undefined) {
      const staticPolicies = Object.fromEntries(this.policies.map(({ text }, index) => [String(index), text]));
      const answer = preparsePolicySet(name, { staticPolicies });
      if (answer.type === 'failure') throw new Error(answer.errors[0]?.message);
      this.#name = name;
    }
    parsed.set(name, this);
    return name;
  }
}

function denied(policyId: string, reason: string): Evaluation {
  return { effect: 'deny', policyId, reason };
}

function failed(what: string, detail: string): Evaluation {
  return denied('evaluation_failed', detail === '' ? what : `${what}: ${detail}`);
}
