import type { Scope } from './scope.ts';
import { isAbsent, isMapping, own, record, text } from './values.ts';

/** Reads `schema_registry.aliases`: names for output schemas. */
export function compileSchemaAliases(scope: Scope): Readonly<Record<string, string>> {
  const aliases = record<string>();
  const registry = own(scope.root, 'schema_registry');
  if (isAbsent(registry)) return aliases;
  if (!isMapping(registry)) {
    invalid(scope, ['schema_registry'], 'schema_registry must be a mapping');
    return aliases;
  }
  const declared = own(registry, 'aliases');
  if (isAbsent(declared)) return aliases;
  if (!isMapping(declared)) {
    invalid(scope, ['schema_registry', 'aliases'], 'schema_registry.aliases must be a mapping');
    return aliases;
  }
  for (const [key, value] of Object.entries(declared)) {
    const target = text(value);
    const name = text(key);
    if (name && target) aliases[name] = target;
    else
      invalid(scope, ['schema_registry', 'aliases', key], 'a schema alias needs a non-empty name and a non-empty text');
  }
  return aliases;
}

function invalid(scope: Scope, path: readonly string[], message: string): void {
  scope.report.stricter({ code: 'workspace_schema_alias_invalid', at: { path }, message });
}
