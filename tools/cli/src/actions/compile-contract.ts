import {
  asObject,
  compileRequest,
  parseJson,
  readCompileRequest,
  referencesOf,
  textField,
} from '../compile/contract.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';

/** The operations of `workspace-runtime-plan`, each from the request to its answer. */
const OPERATIONS: Readonly<Record<string, (request: unknown) => object>> = {
  compile(request) {
    const answer = compileRequest(readCompileRequest(request));
    return answer.ok ? { ok: true, plan: answer.plan } : { ok: false, error: answer.error };
  },
  'collect-references'(request) {
    const collected = referencesOf(textField(asObject(request), 'workspace_yaml'));
    return { ok: 'references' in collected, ...collected };
  },
};

/**
 * `reins workspace-runtime-plan <operation> --request-base64 <JSON>`: the contract that programs of other installations know. A workspace that
 * does not compile is an answer (exit code 0), a request that cannot be read is not (1), wrong use is 2.
 */
export async function planContract(
  context: CliContext,
  operation: string | undefined,
  request: string | undefined,
): Promise<ExitCode> {
  const answer = operation !== undefined && Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  if (!answer || request === undefined) {
    context.note(answer ? 'request_base64 is required' : `the operations are ${Object.keys(OPERATIONS).join(' and ')}`);
    return EXIT.usage;
  }
  try {
    context.out(`${JSON.stringify(answer(parseJson(Buffer.from(request, 'base64'))))}\n`);
    return EXIT.ok;
  } catch (error) {
    context.note(error instanceof Error ? error.message : String(error));
    return EXIT.failed;
  }
}
