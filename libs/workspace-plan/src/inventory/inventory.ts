import { defined } from '@reins/contracts';
import { ownProperty } from '../compile/values.ts';
import type {
  CompiledWorkspaceInventory,
  InventoryAgent,
  InventoryDocument,
  InventoryModel,
  InventoryRuntime,
  InventoryTool,
  InventoryToolType,
  InventoryWorkflow,
} from '../plan.ts';
import type { Documents, InventoryEntry } from './documents.ts';
import { edgesOf } from './references.ts';
import type { Family, Kind } from './shapes.ts';
import { toolId } from './tools.ts';

/** Converts the documents to the form of the plan. Every document is already checked against the shape of its kind. */
export function inventoryOf(documents: Documents, coordinator: InventoryEntry): CompiledWorkspaceInventory {
  const each = <T>(kind: Kind, read: (entry: InventoryEntry) => T): readonly T[] => documents.of(kind).map(read);
  return {
    runtime: runtimeOf(documents, coordinator),
    agents: each('Agent', agentOf),
    models: each('Model', modelOf),
    tools: each('Tool', toolOf),
    workflows: each('Workflow', workflowOf),
    skills: each('Skill', (entry) => ({ name: entry.name, path: field(entry, 'path', `skills/${entry.name}`) })),
    memory: documentsOfFamily(documents, 'memory'),
    protocols: documentsOfFamily(documents, 'protocols'),
    policies: documentsOfFamily(documents, 'policies'),
  };
}

/** A field of a checked document, or the fallback when it is absent. */
function field<T>(entry: InventoryEntry, name: string, fallback: T): T {
  return (ownProperty(entry.spec ?? {}, name) as T | undefined) ?? fallback;
}

function agentOf(entry: InventoryEntry): InventoryAgent {
  return {
    name: entry.name,
    description: field<string | null>(entry, 'description', null),
    backend: field<string | null>(entry, 'backend', null),
    model: field(entry, 'model', ''),
    tools: field<readonly string[]>(entry, 'tools', []),
    skills: field<readonly string[]>(entry, 'skills', []),
    subagents: field<readonly string[]>(entry, 'subagents', []),
    edges: edgesOf(entry),
    config: field(entry, 'config', {}),
  };
}

function modelOf(entry: InventoryEntry): InventoryModel {
  return {
    name: entry.name,
    provider: field(entry, 'provider', ''),
    model: field(entry, 'model', ''),
    parameters: field(entry, 'parameters', {}),
  };
}

function toolOf(entry: InventoryEntry): InventoryTool {
  return {
    name: entry.name,
    type: field<InventoryToolType>(entry, 'type', 'builtin'),
    tool_id: toolId(entry),
    description: field<string | null>(entry, 'description', null),
    approval: field(entry, 'approval', false),
  };
}

function workflowOf(entry: InventoryEntry): InventoryWorkflow {
  const nodes = field<readonly Readonly<Record<string, string>>[]>(entry, 'nodes', []);
  return {
    name: entry.name,
    description: field<string | null>(entry, 'description', null),
    nodes: nodes.map((node) => {
      const kind = (['agent', 'tool', 'skill'] as const).find((each) => node[each] !== undefined) ?? 'agent';
      return { id: node.id ?? '', kind, name: node[kind] ?? '' };
    }),
    edges: edgesOf(entry),
  };
}

function documentsOfFamily(documents: Documents, family: Family): readonly InventoryDocument[] {
  const interpreted = family === 'memory' ? documents.of('Memory') : [];
  return [...interpreted, ...documents.family(family)].map(({ name, kind, spec }) => ({
    name,
    kind,
    spec: spec ?? {},
  }));
}

function runtimeOf(documents: Documents, coordinator: InventoryEntry): InventoryRuntime {
  const [runtime] = documents.of('Runtime');
  const section = <T>(name: string): Readonly<Record<string, T>> =>
    (ownProperty(runtime?.spec ?? {}, name) as Readonly<Record<string, T>> | undefined) ?? {};
  return {
    default_agent: coordinator.name,
    ...defined({ default_runtime: section<string>('runtime_profile').default }),
    routes: section<string>('routes'),
    adapters: section('adapters'),
    protocols: section('protocols'),
    progress: section('progress'),
    cli: section('cli'),
  };
}
