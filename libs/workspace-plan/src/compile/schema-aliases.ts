import { pathProblem } from './paths.ts';
import type { Scope } from './scope.ts';
import { isAbsent, isMapping, kindOf, ownProperty, type Path, record, text } from './values.ts';

/** Reads `schema_registry.aliases`, which gives output schemas short names. */
export function compileSchemaAliases(scope: Scope): Readonly<Record<string, string>> {
  const aliases = record<string>();
  const registry = section(scope, scope.root, ['schema_registry']);
  const declared = registry && section(scope, registry, ['schema_registry', 'aliases']);
  for (const [key, value] of Object.entries(declared ?? {})) {
    const at = ['schema_registry', 'aliases', key];
    const target = text(value);
    const name = text(key);
    if (!name || !target || name === '__proto__') {
      invalid(scope, at, 'a schema alias requires a non-empty name and a non-empty text');
      continue;
    }
    if (Object.hasOwn(aliases, name)) {
      scope.report.warn({
        code: 'workspace_key_collision',
        at,
        pointsAtKey: true,
        message: `duplicate alias '${name}'`,
      });
    }
    const problem = pathProblem(target);
    if (problem !== undefined) {
      const message = `invalid output schema path '${target}': it ${problem}`;
      scope.report.warn({ code: 'workspace_path_escapes', at, hasLegacyAlias: false, message });
    }
    aliases[name] = target;
  }
  return aliases;
}

function section(scope: Scope, parent: object, at: Path): Readonly<Record<string, unknown>> | undefined {
  const field = at.at(-1) as string;
  const value = ownProperty(parent as Readonly<Record<string, unknown>>, field);
  if (isAbsent(value)) return undefined;
  if (isMapping(value)) return value;
  invalid(scope, at, `${at.join('.')} must be a mapping (got ${kindOf(value)})`);
  return undefined;
}

function invalid(scope: Scope, at: Path, message: string): void {
  scope.report.strictError({ code: 'workspace_schema_alias_invalid', at, message });
}
