import { type Mapping, ownProperty, type Path, record } from '../compile/values.ts';
import type { Locator, SourceMap } from '../diagnostics/locator.ts';
import type { Documents, InventoryEntry } from './documents.ts';
import { toolId } from './tools.ts';

/** An inventory in workspace.yaml form, with the source position of each part. */
export interface LoweredInventory {
  readonly root: Mapping;
  readonly locator: Locator;
}

/**
 * Converts an inventory to workspace.yaml form, so that one compiler checks both. Rules, codes and messages are the
 * same, and the locator maps each finding to the document that it comes from.
 */
export function lowerInventory(
  documents: Documents,
  coordinator: InventoryEntry,
  sources: SourceMap,
): LoweredInventory {
  const root: Record<string, unknown> = {
    agents: agents(documents, coordinator, sources),
    mcp_registry: registry(documents, sources),
    applications: applications(documents, sources),
  };
  const [runtime] = documents.of('Runtime');
  const spec = ownProperty(runtime?.raw ?? {}, 'spec') as Mapping | undefined;
  for (const key of ['pipeline', 'runtime_profile', 'output', 'required_servers', 'budgets']) {
    const value = spec && ownProperty(spec, key);
    if (value === undefined || !runtime) continue;
    root[key] = value;
    sources.record([key], at(runtime, ['spec', key]));
  }
  const runtimeSection = { ...pick(spec, 'progress'), ...pick(spec, 'cli') };
  if (runtime && Object.keys(runtimeSection).length > 0) {
    root.runtime = runtimeSection;
    sources.record(['runtime'], at(runtime, ['spec']));
  }
  const memory = memoryOf(documents, sources);
  if (memory.length > 0) root.memory = memory;
  const gated = gatedTools(documents, sources);
  if (gated.length > 0) root.gated_tools = gated;
  return { root, locator: sources };
}

function pick(spec: Mapping | undefined, key: string): Mapping {
  const value = spec && ownProperty(spec, key);
  return value === undefined ? {} : { [key]: value };
}

function at(entry: InventoryEntry, path: Path): { file: string; document: InventoryEntry['document']; path: Path } {
  return { file: entry.file, document: entry.document, path };
}

/** The Memory documents with a scope. Others are only copied to the plan. */
function memoryOf(documents: Documents, sources: SourceMap): readonly Mapping[] {
  const entries = documents.of('Memory').filter(({ spec }) => ownProperty(spec ?? {}, 'scope') !== undefined);
  return entries.map((entry, index) => {
    sources.record(['memory', index], at(entry, ['spec']));
    const { spec } = entry;
    return { ...pick(spec, 'scope'), ...pick(spec, 'limit'), ...pick(spec, 'max_tokens') };
  });
}

function agents(documents: Documents, coordinator: InventoryEntry, sources: SourceMap): unknown {
  const all = documents.of('Agent');
  const lowered = all.map((entry) => ({
    id: entry.name,
    model: modelOf(documents, entry),
    role: ownProperty(entry.spec ?? {}, 'description') || null,
    schema_id: ownProperty(entry.spec ?? {}, 'outputSchema'),
    ...(all.length > 1 && entry === coordinator && { coordinator: true }),
  }));
  for (const [index, entry] of all.entries()) {
    const path: Path = all.length > 1 ? ['agents', index] : ['agents'];
    sources.record(path, at(entry, ['spec']));
    sources.record([...path, 'id'], at(entry, ['metadata', 'name']));
    sources.record([...path, 'schema_id'], at(entry, ['spec', 'outputSchema']));
  }
  return all.length > 1 ? lowered : lowered[0];
}

/** `provider/model`, the form that model routing expects. */
function modelOf(documents: Documents, agent: InventoryEntry): unknown {
  const name = ownProperty(agent.spec ?? {}, 'model');
  const model = typeof name === 'string' ? documents.find('Model', name) : undefined;
  return model?.spec ? `${ownProperty(model.spec, 'provider')}/${ownProperty(model.spec, 'model')}` : name;
}

function registry(documents: Documents, sources: SourceMap): unknown {
  const servers = record<unknown>();
  for (const entry of documents.of('McpServer')) {
    servers[entry.name] = ownProperty(entry.raw, 'spec') ?? {};
    sources.record(['mcp_registry', 'servers', entry.name], at(entry, ['spec']));
  }
  const catalog = record<unknown>();
  const allowed: string[] = [];
  const tools = documents.of('Tool').filter((entry) => entry.spec);
  const constrained = tools.some((entry) => ownProperty(entry.spec ?? {}, 'type') === 'mcp');
  for (const entry of tools) {
    const type = ownProperty(entry.spec ?? {}, 'type');
    const id = toolId(entry);
    if (type === 'module') {
      catalog[id] = {
        module_path: ownProperty(entry.spec ?? {}, 'module'),
        symbol: ownProperty(entry.spec ?? {}, 'symbol'),
      };
      sources.record(['mcp_registry', 'catalog', id], at(entry, ['spec']));
      sources.record(['mcp_registry', 'catalog', id, 'module_path'], at(entry, ['spec', 'module']));
    }
    // an allowlist applies to the workspace tools too, so they have to be listed as well
    if (type !== 'builtin' && constrained) {
      sources.record(['mcp_registry', 'allowlist', 'tool_ids', allowed.length], at(entry, ['spec']));
      allowed.push(id);
    }
  }
  return { servers: { ...servers }, catalog: { ...catalog }, allowlist: { tool_ids: allowed } };
}

function applications(documents: Documents, sources: SourceMap): unknown {
  return documents.of('Application').map((entry, index) => {
    sources.record(['applications', index], at(entry, ['spec']));
    sources.record(['applications', index, 'app_id'], at(entry, ['metadata', 'name']));
    sources.record(['applications', index, 'config_path'], at(entry, ['spec', 'configPath']));
    return {
      app_id: entry.name,
      config_path: ownProperty((ownProperty(entry.raw, 'spec') as Mapping | undefined) ?? {}, 'configPath'),
    };
  });
}

/**
 * The gated tools: from the tools themselves, from policies, and from the list of the Runtime. Without duplicates; the
 * first occurrence determines the source position.
 */
function gatedTools(documents: Documents, sources: SourceMap): readonly string[] {
  const gated = new Set<string>();
  const gate = (tool: string, entry: InventoryEntry, path: Path): void => {
    if (gated.has(tool)) return;
    sources.record(['gated_tools', gated.size], at(entry, path));
    gated.add(tool);
  };
  for (const entry of documents.of('Tool'))
    if (ownProperty(entry.spec ?? {}, 'approval') === true) gate(toolId(entry), entry, ['spec', 'approval']);
  for (const entry of documents.family('policies')) {
    const approval = ownProperty(entry.spec ?? {}, 'approval') as { tools?: readonly string[] } | undefined;
    for (const [index, name] of (approval?.tools ?? []).entries()) {
      const tool = documents.find('Tool', name);
      gate(tool ? toolId(tool) : name, entry, ['spec', 'approval', 'tools', index]);
    }
  }
  const [runtime] = documents.of('Runtime');
  const listed = (ownProperty(runtime?.spec ?? {}, 'gated_tools') as readonly string[] | undefined) ?? [];
  if (runtime) for (const [index, tool] of listed.entries()) gate(tool, runtime, ['spec', 'gated_tools', index]);
  return [...gated];
}
