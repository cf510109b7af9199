import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Problem, problemOf, ReinsError } from '@reins/contracts';
import type { NarrationProvider } from './provider.ts';
import { template } from './template.ts';

/**
 * Loads the built-in provider and those of the installation, by name.
 * @param modules name → path of a module whose default export is a provider
 * @throws ReinsError `settings_invalid` with every module that is not a provider
 */
export async function loadProviders(
  modules: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, NarrationProvider>> {
  const providers = new Map<string, NarrationProvider>([['template', template]]);
  const problems: Problem[] = [];
  for (const [name, file] of Object.entries(modules)) {
    const path = `narration.providers.${name}`;
    try {
      const { default: provider } = (await import(pathToFileURL(resolve(file)).href)) as { default?: unknown };
      if (isProvider(provider)) providers.set(name, provider);
      else
        problems.push({
          code: 'settings_invalid',
          message: `${file} has no narration provider as its default export`,
          path,
        });
    } catch (error) {
      problems.push({
        code: 'settings_invalid',
        message: `${file} cannot be loaded: ${problemOf(error).message}`,
        path,
      });
    }
  }
  if (problems.length > 0) throw new ReinsError(problems);
  return providers;
}

const isProvider = (value: unknown): value is NarrationProvider =>
  typeof value === 'object' && value !== null && 'narrate' in value && typeof value.narrate === 'function';
