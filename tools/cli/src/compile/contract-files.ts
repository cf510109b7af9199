import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { asObject, compileRequest, parseJson, readCompileRequest, referencesOf, textField } from './contract.ts';

/** The operations of `workspace-runtime-plan`: each maps a request to its response. */
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
 * `reins workspace-runtime-plan <operation> --request-base64 <JSON>`: an interface that external programs rely on. Exit code 0: there is a
 * response, also for a workspace that does not compile. 1: the request cannot be parsed. 2: wrong usage.
 */
export async function planContract(
  context: CliContext,
  operation: string | undefined,
  request: string | undefined,
): Promise<ExitCode> {
  const run = operation !== undefined && Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined;
  if (!run || request === undefined) {
    context.note(run ? '--request-base64 is required' : `operation must be ${Object.keys(OPERATIONS).join(' or ')}`);
    return EXIT.usage;
  }
  try {
    context.out(`${JSON.stringify(run(parseJson(Buffer.from(request, 'base64'))))}\n`);
    return EXIT.ok;
  } catch (error) {
    context.note(error instanceof Error ? error.message : String(error));
    return EXIT.failed;
  }
}
