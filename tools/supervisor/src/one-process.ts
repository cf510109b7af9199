import { pathToFileURL } from 'node:url';
import { runService, type ServiceDefinition } from '@reins/service-kit';

/**
 * Runs several services in this process: `one-process.js <module> …`. Each module is the public module of a service and exports its
 * definition.
 */
const definitions = await Promise.all(process.argv.slice(2).map(definitionOf));
await runService(...definitions);

async function definitionOf(file: string): Promise<ServiceDefinition> {
  const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
  const definition = Object.values(exported).find(isDefinition);
  if (definition) return definition;
  throw new TypeError(`${file} exports no service definition`);
}

function isDefinition(value: unknown): value is ServiceDefinition {
  return typeof value === 'object' && value !== null && 'name' in value && 'module' in value;
}
