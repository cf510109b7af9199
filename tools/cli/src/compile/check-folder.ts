import { nearest, type Problem, STAGES } from '@reins/contracts';
import { parseSkill } from '@reins/runtime-config';

const LARGE_BYTES = 20 * 1024 * 1024;
/** Folders of installed packages. They belong to a machine, not to a workspace. */
const INSTALLED = new Set(['node_modules', '.venv', 'venv', '__pycache__']);
const ROOT_FILES: Readonly<Record<string, string>> = {
  'agent.md': 'AGENTS.md',
  'agents.md': 'AGENTS.md',
  'workspace.yml': 'workspace.yaml',
};

/** The files of a workspace folder. */
export interface WorkspaceFiles {
  /** Every file of the workspace, by path. */
  readonly files: ReadonlyMap<string, { readonly size: number }>;
  /** The text of one of the files. */
  readonly read: (path: string) => Promise<string>;
}

/** What the compiler does not see of a workspace folder: files that nothing reads, skills, large folders. */
export async function checkFolder({ files, read }: WorkspaceFiles): Promise<Problem[]> {
  return [...misnamedFiles(files), ...(await invalidSkills(files, read)), ...largeFolders(files)];
}

/** Files that look like instructions, but that nothing reads. */
function misnamedFiles(files: WorkspaceFiles['files']): Problem[] {
  return [...files.keys()].flatMap((path) => {
    const expected = expectedPath(path);
    if (expected === undefined || expected === path) return [];
    const hint = files.has(expected) ? `Move its text to ${expected}.` : `Did you mean ${expected}?`;
    return [{ code: 'workspace_file_misnamed', message: 'nothing reads this file', path, hint } as const];
  });
}

function expectedPath(path: string): string | undefined {
  if (!path.includes('/')) return path === 'AGENTS.md' ? undefined : ROOT_FILES[path.toLowerCase()];
  const [, folder, name] = /^(stages?)\/([^/]+)\.(?:md|markdown)$/i.exec(path) ?? [];
  if (folder === undefined || name === undefined) return undefined;
  const stage = (STAGES as readonly string[]).find((one) => one === name.toLowerCase()) ?? nearest(name, STAGES);
  return stage === undefined ? undefined : `stages/${stage}.md`;
}

async function invalidSkills(files: WorkspaceFiles['files'], read: WorkspaceFiles['read']): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const path of files.keys()) {
    const [, id] = /^skills\/([^/]+)\/SKILL\.md$/.exec(path) ?? [];
    if (id === undefined) continue;
    const parsed = parseSkill({ id, location: path, text: await read(path), origin: 'workspace' });
    if (!parsed.ok) found.push({ ...parsed.problem, path });
  }
  return found;
}

function largeFolders(files: WorkspaceFiles['files']): Problem[] {
  const sizes = new Map<string, { bytes: number; files: number }>();
  for (const [path, { size }] of files) {
    const segments = path.split('/').slice(0, -1);
    const installed = segments.findIndex((name) => INSTALLED.has(name));
    const folder = segments.slice(0, installed < 0 ? 1 : installed + 1).join('/');
    if (folder === '') continue;
    const sum = sizes.get(folder) ?? { bytes: 0, files: 0 };
    sizes.set(folder, { bytes: sum.bytes + size, files: sum.files + 1 });
  }
  return [...sizes].flatMap(([folder, sum]) => {
    const isInstalled = INSTALLED.has(folder.split('/').at(-1) ?? '');
    if (!isInstalled && sum.bytes < LARGE_BYTES) return [];
    const message = `${sum.files} files with ${(sum.bytes / 1024 / 1024).toFixed(1)} MB become part of the workspace`;
    const instead = isInstalled ? ' Declare the package of an MCP server with `npm` or `pypi`, or bundle it.' : '';
    const hint = `Add \`${folder}/\` to .reinsignore to leave it out.${instead}`;
    return [{ code: 'workspace_folder_large', message, path: folder, hint } as const];
  });
}
