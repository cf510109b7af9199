import type { ModuleDeclaration, Pattern, Program } from 'acorn';
import { parseProgram } from './parse-module.ts';

/** The exports of a module, as far as its text shows them. */
export interface ModuleExports {
  readonly names: readonly string[];
  /** False if it may have more: `export * from …`, and modules in CommonJS. */
  readonly complete: boolean;
  /** Whether its default export may be an object with members. */
  readonly defaultMayHaveMembers: boolean;
}

/**
 * Finds the exports of a file by parsing it. No code runs.
 * @throws SyntaxError with the position in its message, as `(2:10)`
 */
export function moduleExports(path: string, source: string): ModuleExports {
  const { format, program } = parseProgram(path, source, undefined);
  if (format === 'commonjs') return { names: [], complete: false, defaultMayHaveMembers: true };
  const exporting = program.body.filter(isExport);
  return {
    names: [...new Set(exporting.flatMap(namesOf))],
    complete: !exporting.some((node) => node.type === 'ExportAllDeclaration' && !node.exported),
    defaultMayHaveMembers: exporting.some(
      (node) => node.type === 'ExportDefaultDeclaration' && !/Function|Class/.test(node.declaration.type),
    ),
  };
}

const isExport = (node: Program['body'][number]): node is ModuleDeclaration => node.type.startsWith('Export');

function namesOf(node: ModuleDeclaration): string[] {
  if (node.type === 'ExportDefaultDeclaration') return ['default'];
  if (node.type === 'ExportAllDeclaration') return node.exported ? [nameOf(node.exported)] : [];
  if (node.type !== 'ExportNamedDeclaration') return [];
  const { declaration, specifiers } = node;
  const listed = specifiers.map(({ exported }) => nameOf(exported));
  if (!declaration) return listed;
  if (declaration.type === 'VariableDeclaration') return declaration.declarations.flatMap(({ id }) => boundBy(id));
  return declaration.id ? [declaration.id.name] : [];
}

/** An export may have a name that is not an identifier: `export { f as 'a-b' }`. */
const nameOf = (name: { readonly type: string; readonly name?: string; readonly value?: unknown }): string =>
  name.name ?? String(name.value);

/** The variables that a declaration binds. */
function boundBy(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name];
    case 'ObjectPattern':
      return pattern.properties.flatMap((each) => boundBy(each.type === 'Property' ? each.value : each.argument));
    case 'ArrayPattern':
      return pattern.elements.flatMap((each) => (each ? boundBy(each) : []));
    case 'AssignmentPattern':
      return boundBy(pattern.left);
    case 'RestElement':
      return boundBy(pattern.argument);
    default:
      return [];
  }
}
