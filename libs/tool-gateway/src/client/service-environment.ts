import { childEnvironment, RUN_TOKEN } from '@reins/harness';
import type { ProcessContext } from './server-spec.ts';

/** The environment of a server or application: built from scratch, plus the author's variables. The run token wins. */
export function serviceEnvironment(
  { homeDir, path }: Pick<ProcessContext, 'homeDir' | 'path'>,
  runToken: string,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  return { ...childEnvironment({ homeDir, runToken, path }), ...variables, [RUN_TOKEN]: runToken };
}
