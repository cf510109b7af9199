import { existsSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Prints the JSON Schema that a module of a workspace gives: `schema-reader.js <workspace folder> <module>`. The module is code of the
 * workspace, so it is loaded in a process of its own.
 */
const [, , folder = '', path = ''] = process.argv;
const print = process.stdout.write.bind(process.stdout);
// What the module prints is no part of the answer.
process.stdout.write = process.stderr.write.bind(process.stderr);

const root = realpathSync(folder);
const file = fileOf(join(root, path));
const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
const schema = await schemaOf(module.default ?? module.schema);
if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
  throw new Error('neither its default export nor its export `schema` is a JSON Schema');
print(`${JSON.stringify(schema)}\n`, () => process.exit(0));

/** @throws Error in the words of the workspace, which does not know where on this host it lies */
function fileOf(named: string): string {
  const inside = `${root}${sep}`;
  if (named.startsWith(inside) && !existsSync(named)) throw new Error(`the workspace has no file '${path}'`);
  if (!named.startsWith(inside) || !realpathSync(named).startsWith(inside))
    throw new Error('it leads out of the workspace');
  return realpathSync(named);
}

/** A schema, a function that gives one, or a schema of a library that can tell itself as JSON Schema. */
async function schemaOf(found: unknown): Promise<unknown> {
  if (typeof found === 'function') return schemaOf(await found());
  const toJsonSchema = (found as { toJSONSchema?: unknown } | undefined)?.toJSONSchema;
  return typeof toJsonSchema === 'function' ? toJsonSchema.call(found) : found;
}
