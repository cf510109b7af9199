import { ReinsError, STAGES } from '@reins/contracts';
import { isMapping, own, text } from './compile/values.ts';
import { Findings } from './diagnostics/findings.ts';
import { readDocuments } from './inventory/documents.ts';
import { PROCESS_PATTERN } from './schema/patterns.ts';
import { readYaml } from './yaml/document.ts';

/** The file of the workspace that holds the instructions of its agents. */
export const PROMPT_FILE = 'AGENTS.md';

/** The file that holds the instructions of one stage. */
export function stageFile(stage: string): string {
  return `stages/${stage}.md`;
}

/**
 * The files of the workspace that its plan depends on: `AGENTS.md`, the manifest of every application, and, where the
 * workspace has a pipeline, the instructions of its stages. Any of them may be absent from the workspace.
 * @throws ReinsError when the text is no mapping
 */
export function collectReferences(workspaceYaml: string): string[] {
  const file = readYaml(workspaceYaml);
  if (!file.ok) {
    const message = file.failure.kind === 'syntax' ? `invalid YAML: ${file.failure.reason}` : file.failure.reason;
    throw new ReinsError({ code: 'workspace_config_invalid_yaml', message, path: 'workspace.yaml' });
  }
  const root = file.value.value;
  if (!isMapping(root)) {
    throw new ReinsError({
      code: 'workspace_config_invalid_yaml',
      message: 'workspace.yaml must parse to a mapping object',
      path: 'workspace.yaml',
    });
  }
  return referencesOf(root);
}

/** The process that workspace.yaml names; none when it names none, or cannot be read: compiling tells what is wrong. */
export function declaredProcess(workspaceYaml: string): string | undefined {
  const file = readYaml(workspaceYaml);
  const root = file.ok ? file.value.value : undefined;
  const named = isMapping(root) ? own(root, 'process') : undefined;
  return typeof named === 'string' && PROCESS.test(named) ? named : undefined;
}

const PROCESS = new RegExp(PROCESS_PATTERN);

/** The same for a workspace that is written as documents under config/. Never throws: compiling tells what is wrong. */
export function collectInventoryReferences(files: Readonly<Record<string, string>>): string[] {
  const documents = readDocuments(new Findings(), files);
  const pipeline = own(documents.of('Runtime')[0]?.spec ?? {}, 'pipeline');
  const applications = documents
    .of('Application')
    .map((entry) => ({ config_path: own(entry.spec ?? {}, 'configPath') }));
  return referencesOf({ applications, pipeline });
}

function referencesOf(root: Readonly<Record<string, unknown>>): string[] {
  const paths = new Set([PROMPT_FILE]);
  const applications = own(root, 'applications');
  for (const entry of Array.isArray(applications) ? (applications as unknown[]) : []) {
    const path = isMapping(entry) ? text(own(entry, 'config_path')) : undefined;
    if (path !== undefined) paths.add(path);
  }
  if (own(root, 'pipeline') !== undefined) for (const stage of STAGES) paths.add(stageFile(stage));
  return [...paths];
}
