import { type Problem, ReinsError } from '@reins/contracts';
import { agentSkills, type SelectedSkills, type SkillFile, selectSkills } from '@reins/runtime-config';
import { Memo } from '@reins/service-kit';
import type { CompiledWorkspaceRuntimePlan } from '@reins/workspace-plan';
import { capture, followLinks, type Tree, type TreeFile } from '@reins/workspace-tree';
import type { AddedFile } from './added-files.ts';

/** The folder for the installation's own skills in a run's tree. */
export const EMBEDDED_SKILLS = '.reins/skills';

const IN_SKILL_FOLDER = /^skills\/([^/]+)\//;
const MAX_SKILLS = 200;
const MAX_SKILL_BYTES = 256 * 1024;
const CACHED_TREES = 500;

/** A skill that an inventory declares. */
export interface DeclaredSkill {
  readonly name: string;
  /** Its folder. */
  readonly path: string;
}

/** The skills for runs: those of the installation, which are read once, and those of each run's tree. */
export class SkillLibrary {
  readonly #embedded: readonly SkillFile[];
  /** The files of the installation's skills, which are added to the tree of every run. */
  readonly files: readonly AddedFile[];
  readonly #known = new Memo<SelectedSkills>(CACHED_TREES);

  private constructor(embedded: readonly SkillFile[], files: readonly AddedFile[]) {
    this.#embedded = embedded;
    this.files = files;
  }

  /** @throws ReinsError `settings_invalid` when `prepare.skillsDir` cannot be read */
  static async open(folder: string | undefined): Promise<SkillLibrary> {
    if (folder === undefined) return new SkillLibrary([], []);
    const read = async () => followLinks(await capture(folder));
    const tree = await read().catch((cause: unknown) => {
      const message = `cannot read prepare.skillsDir: ${(cause as Error).message}`;
      throw new ReinsError({ code: 'settings_invalid', message, path: 'prepare.skillsDir' }, { cause });
    });
    const prefixed: Tree = {
      ...tree,
      manifest: new Map([...tree.manifest].map(([path, file]) => [`skills/${path}`, file])),
      read: (path) => tree.read(path.slice('skills/'.length)),
    };
    const { files } = await skillFiles(prefixed, 'embedded');
    return new SkillLibrary(
      files.map((file) => ({ ...file, location: `.reins/${file.location}` })),
      await Promise.all(
        [...tree.manifest].map(async ([path, file]) => {
          const bytes = await tree.read(path);
          return { path: `${EMBEDDED_SKILLS}/${path}`, file, read: async () => bytes };
        }),
      ),
    );
  }

  /**
   * Returns the skills of a tree with resolved links and those of the installation, which take precedence, with the
   * problems of invalid skills.
   * @param declared skills that the workspace declares in another folder
   */
  of(tree: Tree, declared: readonly DeclaredSkill[] = []): Promise<SelectedSkills> {
    return this.#known.get(`${tree.treeId} ${JSON.stringify(declared)}`, async () => {
      const { files, problems } = await skillFiles(tree, 'workspace', declared);
      const selected = selectSkills([...this.#embedded, ...files]);
      return { skills: selected.skills, problems: [...problems, ...selected.problems] };
    });
  }
}

/** Without the skills of the workspace that its agents do not list. Those of the installation are for all agents. */
export function skillsOfAgent(found: SelectedSkills, plan: CompiledWorkspaceRuntimePlan): SelectedSkills {
  const listed = agentSkills(plan);
  if (listed === undefined) return found;
  return { ...found, skills: found.skills.filter(({ id, origin }) => origin === 'embedded' || listed.has(id)) };
}

/** Reads every SKILL.md of a tree, and reports the folders without a valid one. */
async function skillFiles(
  tree: Tree,
  origin: SkillFile['origin'],
  declared: readonly DeclaredSkill[] = [],
): Promise<{ readonly files: readonly SkillFile[]; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const files: SkillFile[] = [];
  for (const [id, location] of skillLocations(tree, declared)) {
    const reason = skipReason(tree.manifest.get(location), files.length);
    if (reason !== undefined) problems.push(skippedSkill(id, location, reason));
    else files.push({ id, location, origin, text: new TextDecoder().decode(await tree.read(location)) });
  }
  return { files, problems };
}

/** The expected path of the SKILL.md of each skill. */
function skillLocations(tree: Tree, declared: readonly DeclaredSkill[]): ReadonlyMap<string, string> {
  const locations = new Map<string, string>();
  for (const path of tree.manifest.keys()) {
    const id = IN_SKILL_FOLDER.exec(path)?.[1];
    if (id !== undefined) locations.set(id, `skills/${id}/SKILL.md`);
  }
  for (const { name, path } of declared) locations.set(name, `${path.replace(/\/+$/, '')}/SKILL.md`);
  return locations;
}

function skipReason(file: TreeFile | undefined, count: number): string | undefined {
  if (file === undefined) return 'its folder has no SKILL.md';
  if (file.size > MAX_SKILL_BYTES) return `its SKILL.md is larger than ${MAX_SKILL_BYTES} bytes`;
  return count >= MAX_SKILLS ? `a workspace has at most ${MAX_SKILLS} skills` : undefined;
}

function skippedSkill(id: string, path: string, why: string): Problem {
  return {
    code: 'skill_invalid',
    message: `skill '${id}' is ignored: ${why}`,
    path,
    hint: 'Add a SKILL.md that starts with frontmatter: name (the folder name) and description.',
  };
}
