import { realpathSync } from 'node:fs';
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
const file = realpathSync(join(root, path));
if (!file.startsWith(`${root}${sep}`)) throw new Error('it leads out of the workspace');
const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
const schema = await schemaOf(module.default ?? module.schema);
if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
  throw new Error('neither its default export nor its export `schema` is a JSON Schema');
print(`${JSON.stringify(schema)}\n`, () => process.exit(0));

/** A schema, a function that gives one, or a schema of a library that can tell itself as JSON Schema. */
async function schemaOf(found: unknown): Promise<unknown> {
  if (typeof found === 'function') return schemaOf(await found());
  const told = (found as { toJSONSchema?: unknown } | undefined)?.toJSONSchema;
  return typeof told === 'function' ? told.call(found) : found;
}
