import { existsSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Prints the JSON Schema of a workspace module: `schema-reader.js <workspace folder> <module>`. The module is
 * workspace code, so it is loaded in a separate process.
 */
const [, , folder = '', path = ''] = process.argv;
const print = process.stdout.write.bind(process.stdout);
// The output of the module must not mix with the schema.
process.stdout.write = process.stderr.write.bind(process.stderr);

const root = realpathSync(folder);
const file = fileOf(join(root, path));
const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
const schema = await schemaOf(module.default ?? module.schema);
if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
  throw new Error('neither its default export nor its export `schema` is a JSON Schema');
print(`${JSON.stringify(schema)}\n`, () => process.exit(0));

/** @throws Error with paths relative to the workspace, without host paths */
function fileOf(named: string): string {
  const inside = `${root}${sep}`;
  if (named.startsWith(inside) && !existsSync(named)) throw new Error(`the workspace has no file '${path}'`);
  if (!named.startsWith(inside) || !realpathSync(named).startsWith(inside))
    throw new Error('it is outside the workspace');
  return realpathSync(named);
}

/** Resolves a schema, a function that returns one, or a library schema with `toJSONSchema()`. */
async function schemaOf(found: unknown): Promise<unknown> {
  if (typeof found === 'function') return schemaOf(await found());
  const toJsonSchema = (found as { toJSONSchema?: unknown } | undefined)?.toJSONSchema;
  return typeof toJsonSchema === 'function' ? toJsonSchema.call(found) : found;
}
