import { stripTypeScriptTypes } from 'node:module';
import { type AnyNode, type Options, type Program, parse } from 'acorn';

/** The format in which a module is loaded. */
export type ModuleFormat = 'module' | 'commonjs' | 'json';

/** An import of a module. */
export interface NamedImport {
  readonly specifier: string;
  /** `static` imports are loaded with the module, others when they run. */
  readonly by: 'static' | 'dynamic' | 'require';
}

export interface ParsedModule {
  readonly format: ModuleFormat;
  /** As JavaScript: types are replaced by blanks, and all other characters keep their positions. */
  readonly code: string;
  readonly imports: readonly NamedImport[];
}

/**
 * Finds the imports of a file by parsing it. No code runs.
 * @param type the type in the nearest package.json, which decides how `.js` and `.ts` are parsed; without one the
 *   syntax decides
 * @throws SyntaxError
 */
export function parseModule(path: string, source: string, type: 'module' | 'commonjs' | undefined): ParsedModule {
  if (path.endsWith('.json')) return { format: 'json', code: source, imports: [] };
  const { format, code, program } = parseProgram(path, source, type);
  return { format, code, imports: importsOf(program, format) };
}

/** The syntax tree of a module. Parameters and errors are those of `parseModule`. */
export function parseProgram(
  path: string,
  source: string,
  type: 'module' | 'commonjs' | undefined,
): ParsedAs & { readonly code: string } {
  const code = /\.[mc]?ts$/.test(path) ? withoutTypes(source) : source;
  return { code, ...parseAs(formatOf(path) ?? type, code) };
}

function formatOf(path: string): 'module' | 'commonjs' | undefined {
  if (/\.m[jt]s$/.test(path)) return 'module';
  return /\.c[jt]s$/.test(path) ? 'commonjs' : undefined;
}

/** Suppresses the experimental warning of Node.js. */
function withoutTypes(source: string): string {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } catch (error) {
    throw placed(error);
  } finally {
    process.emitWarning = emitWarning;
  }
}

/**
 * Node.js reports the line before the stack and the column below the source line. Converts this to the form of acorn:
 * `(2:10)`.
 */
function placed(error: unknown): SyntaxError {
  const { message, stack = '' } = error as Error;
  const [, line] = /^.*:(\d+)\n/.exec(stack) ?? [];
  const column = /\n( *)\^/.exec(stack)?.[1]?.length;
  const place = line === undefined ? '' : ` (${line}:${column ?? 0})`;
  return new SyntaxError(`${message}${place}`, { cause: error });
}

const OPTIONS: Options = { ecmaVersion: 'latest', allowHashBang: true };

function parseAs(format: 'module' | 'commonjs' | undefined, code: string): ParsedAs {
  if (format === 'module') return { format, program: parse(code, { ...OPTIONS, sourceType: 'module' }) };
  if (format === undefined && /\b(import|export|await)\b/.test(code)) {
    const asModule = attempt(() => parse(code, { ...OPTIONS, sourceType: 'module' }));
    if (asModule && isModuleSyntax(asModule)) return { format: 'module', program: asModule };
  }
  const script: Options = { ...OPTIONS, sourceType: 'script', allowReturnOutsideFunction: true };
  return { format: 'commonjs', program: parse(code, script) };
}

interface ParsedAs {
  readonly format: 'module' | 'commonjs';
  readonly program: Program;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Whether the syntax is valid only in ES modules. */
function isModuleSyntax(program: Program): boolean {
  const declares = program.body.some(({ type }) => /^(Import|Export)/.test(type));
  return declares || [...nodesOf(program)].some(({ type }) => type === 'MetaProperty' || type === 'AwaitExpression');
}

function importsOf(program: Program, format: 'module' | 'commonjs'): NamedImport[] {
  const found: NamedImport[] = [];
  for (const node of nodesOf(program)) {
    const named = namedBy(node, format);
    if (named) found.push(named);
  }
  return found;
}

function namedBy(node: AnyNode, format: 'module' | 'commonjs'): NamedImport | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ExportNamedDeclaration':
      return named(node.source, 'static');
    case 'ImportExpression':
      return named(node.source, 'dynamic');
    case 'CallExpression': {
      const { callee, arguments: given } = node;
      const requires = format === 'commonjs' && callee.type === 'Identifier' && callee.name === 'require';
      return requires ? named(given[0], 'require') : undefined;
    }
    default:
      return undefined;
  }
}

/** The specifier, if it is a literal. */
function named(source: AnyNode | null | undefined, by: NamedImport['by']): NamedImport | undefined {
  if (source?.type === 'Literal' && typeof source.value === 'string') return { specifier: source.value, by };
  const [only, ...others] = source?.type === 'TemplateLiteral' ? source.quasis : [];
  return only && others.length === 0 ? { specifier: only.value.cooked ?? only.value.raw, by } : undefined;
}

/** All nodes of a syntax tree, in source order. */
function* nodesOf(program: Program): Generator<AnyNode> {
  const open: unknown[] = [program];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    if ('type' in value) yield value as AnyNode;
    for (const member of Object.values(value).reverse()) open.push(member);
  }
}
