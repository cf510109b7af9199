import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Problem, problemOf, ReinsError } from '@reins/contracts';
import type { Policies } from '@reins/policy';
import type { Settings } from '@reins/service-kit';

/**
 * Loads the policies of the installation. Undefined: it has none, so its runs may call every tool that they have.
 * @throws ReinsError `policy_invalid` and `settings_invalid`, one problem for each file or policy that cannot be read
 */
export async function installationPolicies({ files }: Settings['policy']): Promise<Policies | undefined> {
  if (files.length === 0) return undefined;
  const unreadable: Problem[] = [];
  const sources = await Promise.all(
    files.map(async (path, index) => {
      const text = await readFile(resolve(path), 'utf8').catch((error: unknown) => {
        const message = `the policy file ${path} cannot be read: ${problemOf(error).message}`;
        unreadable.push({ code: 'settings_invalid', path: `policy.files[${index}]`, message });
        return '';
      });
      return { path, text };
    }),
  );
  if (unreadable.length > 0) throw new ReinsError(unreadable);
  // Loaded here because it compiles a module of 4 MB, which most hosts do not need.
  const { parsePolicies } = await import('@reins/policy');
  const { policies, problems } = parsePolicies(sources);
  if (problems.length > 0) throw new ReinsError(problems);
  return policies;
}
