import { pathProblem } from '../compile/paths.ts';
import { ownProperty, type Path } from '../compile/values.ts';
import { didYouMean } from '../diagnostics/suggest.ts';
import type { GraphEdge } from '../plan.ts';
import type { Documents, InventoryEntry } from './documents.ts';
import { checkEdges } from './graph.ts';
import type { Kind } from './shapes.ts';
import { checkTool } from './tools.ts';

/** Checks that every reference in a document names an existing document. */
export function checkReferences(documents: Documents): void {
  for (const agent of documents.of('Agent')) checkAgent(documents, agent);
  for (const tool of documents.of('Tool')) checkTool(tool);
  for (const skill of documents.of('Skill')) checkSkill(skill);
  for (const workflow of documents.of('Workflow')) checkWorkflow(documents, workflow);
  for (const policy of documents.family('policies'))
    new References(documents, policy).many('Tool', ['spec', 'approval', 'tools']);
  for (const runtime of documents.of('Runtime').slice(0, 1)) checkRuntime(documents, runtime);
  for (const runtime of documents.of('Runtime').slice(1)) {
    runtime.report.strictError({
      code: 'inventory_name_duplicate',
      at: ['kind'],
      message: 'a workspace may have only one Runtime',
    });
  }
}

function checkAgent(documents: Documents, agent: InventoryEntry): void {
  const refs = new References(documents, agent);
  refs.one('Model', ['spec', 'model']);
  const tools = refs.many('Tool', ['spec', 'tools']);
  const skills = refs.many('Skill', ['spec', 'skills'], true);
  const subagents = refs.many('Agent', ['spec', 'subagents']);
  if (subagents.includes(agent.name)) {
    agent.report.strictError({
      code: 'inventory_reference_unknown',
      at: ['spec', 'subagents', subagents.indexOf(agent.name)],
      message: 'an agent cannot be its own subagent',
    });
  }
  checkEdges(agent, edgesOf(agent), [agent.name, ...tools, ...skills, ...subagents]);
}

function checkWorkflow(documents: Documents, workflow: InventoryEntry): void {
  const refs = new References(documents, workflow);
  const nodes =
    (ownProperty(workflow.spec ?? {}, 'nodes') as readonly Readonly<Record<string, string>>[] | undefined) ?? [];
  const ids = new Set<string>();
  for (const [index, node] of nodes.entries()) {
    const at: Path = ['spec', 'nodes', index];
    const targets = (['agent', 'tool', 'skill'] as const).filter((field) => node[field] !== undefined);
    if (targets.length !== 1) {
      workflow.report.strictError({
        code: 'inventory_document_invalid',
        at,
        message: 'a node must name exactly one of agent, tool and skill',
      });
    }
    if (node.id !== undefined && ids.size === ids.add(node.id).size) {
      workflow.report.strictError({
        code: 'inventory_name_duplicate',
        at: [...at, 'id'],
        message: `duplicate node id '${node.id}'`,
        specificHint: 'use a unique id for each node of the graph',
      });
    }
    refs.one('Agent', [...at, 'agent']);
    refs.one('Tool', [...at, 'tool']);
    refs.one('Skill', [...at, 'skill'], true);
  }
  checkEdges(
    workflow,
    edgesOf(workflow),
    nodes.flatMap((node) => node.id ?? []),
  );
}

function checkSkill(skill: InventoryEntry): void {
  const path = ownProperty(skill.spec ?? {}, 'path');
  const problem = typeof path === 'string' ? pathProblem(path) : undefined;
  if (problem === undefined) return;
  skill.report.strictError({
    code: 'workspace_path_escapes',
    at: ['spec', 'path'],
    hasLegacyAlias: false,
    message: `invalid skill path '${path}': it ${problem}`,
  });
}

function checkRuntime(documents: Documents, runtime: InventoryEntry): void {
  const refs = new References(documents, runtime);
  refs.one('Agent', ['spec', 'defaultAgent']);
  for (const route of Object.keys(ownProperty(runtime.spec ?? {}, 'routes') ?? {}))
    refs.one('Workflow', ['spec', 'routes', route]);
}

export function edgesOf(entry: InventoryEntry): readonly GraphEdge[] {
  return (ownProperty(entry.spec ?? {}, 'edges') as readonly GraphEdge[] | undefined) ?? [];
}

/** Checks the references of one document. */
class References {
  readonly #documents: Documents;
  readonly #entry: InventoryEntry;

  constructor(documents: Documents, entry: InventoryEntry) {
    this.#documents = documents;
    this.#entry = entry;
  }

  one(kind: Kind, at: Path, lenient = false): void {
    const name = this.#valueAt(at);
    if (typeof name === 'string') this.#check(kind, name, at, lenient);
  }

  many(kind: Kind, at: Path, lenient = false): readonly string[] {
    const names = (this.#valueAt(at) as readonly string[] | undefined) ?? [];
    for (const [index, name] of names.entries()) this.#check(kind, name, [...at, index], lenient);
    return names;
  }

  #valueAt(path: Path): unknown {
    let value: unknown = { spec: this.#entry.spec };
    for (const segment of path) value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[segment];
    return value;
  }

  /** An unknown skill is only a warning, because the installation may provide it. */
  #check(kind: Kind, name: string, at: Path, lenient: boolean): void {
    if (this.#documents.incomplete || this.#documents.find(kind, name)) return;
    const finding = {
      code: 'inventory_reference_unknown',
      at,
      message: `unknown ${kind} '${name}'`,
      specificHint: didYouMean(
        name,
        () => this.#documents.of(kind).map((entry) => entry.name),
        `add a document with kind: ${kind}`,
      ),
    } as const;
    if (lenient) this.#entry.report.warn(finding);
    else this.#entry.report.strictError(finding);
  }
}
