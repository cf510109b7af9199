import { ReinsError, STAGES } from '@reins/contracts';
import { readWorkspaceYaml } from './compile/read-files.ts';
import { isMapping, ownProperty, text } from './compile/values.ts';
import { Findings } from './diagnostics/findings.ts';
import { readDocuments } from './inventory/documents.ts';
import { PROCESS_PATTERN } from './schema/patterns.ts';

/** The workspace file with the instructions for its agents. */
export const PROMPT_FILE = 'AGENTS.md';

/** The workspace file with the instructions for one stage. */
export function stageFile(stage: string): string {
  return `stages/${stage}.md`;
}

/**
 * The paths of the files that the plan depends on: `AGENTS.md`, the manifests of the applications and, if the workspace
 * has a pipeline, the instructions of its stages. The files may be missing.
 * @throws ReinsError `workspace_config_invalid_yaml` when the text is not a YAML mapping
 */
export function collectReferences(workspaceYaml: string): string[] {
  const file = readWorkspaceYaml(workspaceYaml);
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

/**
 * The `process` that workspace.yaml declares. Undefined when there is none or the file is invalid; the compiler reports
 * errors.
 */
export function declaredProcess(workspaceYaml: string): string | undefined {
  const file = readWorkspaceYaml(workspaceYaml);
  const root = file.ok ? file.value.value : undefined;
  const declared = isMapping(root) ? ownProperty(root, 'process') : undefined;
  return typeof declared === 'string' && PROCESS.test(declared) ? declared : undefined;
}

const PROCESS = new RegExp(PROCESS_PATTERN);

/** Like `collectReferences`, for a workspace of documents under config/. Never throws: the compiler reports errors. */
export function collectInventoryReferences(files: Readonly<Record<string, string>>): string[] {
  const documents = readDocuments(new Findings(), files);
  const pipeline = ownProperty(documents.of('Runtime')[0]?.spec ?? {}, 'pipeline');
  const applications = documents
    .of('Application')
    .map((entry) => ({ config_path: ownProperty(entry.spec ?? {}, 'configPath') }));
  return referencesOf({ applications, pipeline });
}

function referencesOf(root: Readonly<Record<string, unknown>>): string[] {
  const paths = new Set([PROMPT_FILE]);
  const applications = ownProperty(root, 'applications');
  for (const entry of Array.isArray(applications) ? (applications as unknown[]) : []) {
    const path = isMapping(entry) ? text(ownProperty(entry, 'config_path')) : undefined;
    if (path !== undefined) paths.add(path);
  }
  if (ownProperty(root, 'pipeline') !== undefined) for (const stage of STAGES) paths.add(stageFile(stage));
  return [...paths];
}
