import { checksumOf } from '../checksums.ts';
import { compileScope } from '../compile/compile-scope.ts';
import type { Observed } from '../compile/observed.ts';
import type { Scope } from '../compile/scope.ts';
import type { UnpricedModels } from '../compile/unpriced-models.ts';
import { ownProperty } from '../compile/values.ts';
import type { Findings } from '../diagnostics/findings.ts';
import { SourceMap } from '../diagnostics/locator.ts';
import { addFinding, Report } from '../diagnostics/report.ts';
import type { CompiledWorkspaceRuntimePlan, PlanExtensions } from '../plan.ts';
import { SourceText } from '../yaml/source-text.ts';
import { type Documents, type InventoryEntry, isInventoryFile, readDocuments } from './documents.ts';
import { inventoryOf } from './inventory.ts';
import { lowerInventory } from './lower-inventory.ts';
import { checkReferences } from './references.ts';
import { warnUnreadFields } from './unread-fields.ts';

export interface InventoryInput {
  readonly workspaceId: string;
  readonly files: Readonly<Record<string, string>>;
  readonly references: Readonly<Record<string, string>>;
  readonly unpriced?: UnpricedModels | undefined;
  readonly observed: Observed;
  readonly onCode: Scope['onCode'];
}

/** Compiles a workspace that is defined by documents under config/. */
export function compileInventory(input: InventoryInput, findings: Findings): CompiledWorkspaceRuntimePlan | undefined {
  const documents = readDocuments(findings, input.files);
  checkReferences(documents);
  warnUnreadFields(documents);
  const coordinator = defaultAgent(documents);
  if (!coordinator) {
    reportMissingAgent(findings, documents);
    return undefined;
  }
  const sources = new SourceMap({ file: coordinator.file, document: coordinator.document, path: [] });
  const { root, locator } = lowerInventory(documents, coordinator, sources);
  const report = new Report(findings, locator);
  const { references, unpriced, observed, onCode } = input;
  const scope = { root, report, references, unpriced, observed, onCode, instructions: instructionsOf(documents) };
  const plan = compileScope(scope, input.workspaceId, () => configChecksum(input.files));
  if (!plan || findings.failed) return undefined;
  const extensions: PlanExtensions = { inventory: inventoryOf(documents, coordinator), ...plan.extensions };
  return { ...plan, extensions: withBackend(extensions, coordinator) };
}

/** The agent that handles requests that do not name one. */
function defaultAgent(documents: Documents): InventoryEntry | undefined {
  const agents = documents.of('Agent');
  const name = ownProperty(documents.of('Runtime')[0]?.spec ?? {}, 'defaultAgent');
  if (typeof name === 'string') return documents.find('Agent', name);
  return agents.length === 1 ? agents[0] : undefined;
}

function reportMissingAgent(findings: Findings, documents: Documents): void {
  if (findings.failed) return; // the missing document is most likely one of the invalid ones
  const [first] = documents.of('Agent');
  const [runtime] = documents.of('Runtime');
  const entry = runtime ?? first;
  const names = documents.of('Agent').map((agent) => agent.name);
  const finding = first
    ? {
        code: 'inventory_reference_unknown' as const,
        message: 'the workspace has several agents, but no Runtime sets the default agent',
        specificHint: `set spec.defaultAgent of the Runtime document to one of: ${names.join(', ')}`,
      }
    : {
        code: 'workspace_general_missing' as const,
        message: 'the workspace has neither workspace.yaml nor an Agent under config/',
        specificHint: 'add workspace.yaml, or a document of kind Agent',
      };
  addFinding(findings, 'error', finding, false, entry?.file ?? 'config', () => ({
    file: entry?.file ?? 'config',
    text: entry?.document.text ?? new SourceText(''),
    position: entry?.document.positionOf([]) ?? { line: 1, column: 1 },
    secret: false,
  }));
}

function instructionsOf(documents: Documents): Readonly<Record<string, string>> {
  return Object.fromEntries(
    documents.of('Agent').map((agent) => [agent.name, String(ownProperty(agent.spec ?? {}, 'instructions') ?? '')]),
  );
}

/** The backend of the default agent becomes the default runtime, unless the workspace configures one. */
function withBackend(extensions: PlanExtensions, coordinator: InventoryEntry): PlanExtensions {
  const backend = ownProperty(coordinator.spec ?? {}, 'backend');
  if (typeof backend !== 'string' || extensions.runtime_profile?.default !== undefined) return extensions;
  const { stages = {} } = extensions.runtime_profile ?? {};
  return { ...extensions, runtime_profile: { default: backend, stages } };
}

function configChecksum(files: Readonly<Record<string, string>>): string {
  return checksumOf(new Map(Object.entries(files).filter(([path]) => isInventoryFile(path))));
}
