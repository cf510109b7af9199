import { type Problem, ReinsError } from '@reins/contracts';
import { type SelectedSkills, type SkillFile, selectSkills } from '@reins/runtime-config';
import { Memo } from '@reins/service-kit';
import { capture, followLinks, type Tree, type TreeFile } from '@reins/workspace-tree';
import type { AddedFile } from './added-files.ts';

/** Where the installation's own skills lie in a run's tree. */
export const EMBEDDED_SKILLS = '.reins/skills';

const IN_SKILL_FOLDER = /^skills\/([^/]+)\//;
const MAX_SKILLS = 200;
const MAX_SKILL_BYTES = 256 * 1024;
const CACHED_TREES = 500;

/** A skill that an inventory names. */
export interface DeclaredSkill {
  readonly name: string;
  /** Its folder. */
  readonly path: string;
}

/** The skills that runs may use: those of the installation, read once, and those of each run's tree. */
export class SkillLibrary {
  readonly #embedded: readonly SkillFile[];
  /** What a run that has skills of the installation finds in its tree. */
  readonly files: readonly AddedFile[];
  readonly #known = new Memo<SelectedSkills>(CACHED_TREES);

  private constructor(embedded: readonly SkillFile[], files: readonly AddedFile[]) {
    this.#embedded = embedded;
    this.files = files;
  }

  /** @throws ReinsError `settings_invalid` when the folder of the setting cannot be read */
  static async open(folder: string | undefined): Promise<SkillLibrary> {
    if (folder === undefined) return new SkillLibrary([], []);
    const read = async () => followLinks(await capture(folder));
    const tree = await read().catch((cause: unknown) => {
      const message = `prepare.skillsDir cannot be read: ${(cause as Error).message}`;
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
   * The skills of a tree, its links followed, and the installation's, which win, with what is wrong about those that are left out.
   * @param elsewhere skills that the workspace declares under a folder of its own choice
   */
  of(tree: Tree, elsewhere: readonly DeclaredSkill[] = []): Promise<SelectedSkills> {
    return this.#known.get(`${tree.treeId} ${JSON.stringify(elsewhere)}`, async () => {
      const { files, problems } = await skillFiles(tree, 'workspace', elsewhere);
      const selected = selectSkills([...this.#embedded, ...files]);
      return { skills: selected.skills, problems: [...problems, ...selected.problems] };
    });
  }
}

/** Every SKILL.md of a tree that can be read, and the folders that have none. */
async function skillFiles(
  tree: Tree,
  origin: SkillFile['origin'],
  elsewhere: readonly DeclaredSkill[] = [],
): Promise<{ readonly files: readonly SkillFile[]; readonly problems: readonly Problem[] }> {
  const problems: Problem[] = [];
  const files: SkillFile[] = [];
  for (const [id, location] of skillLocations(tree, elsewhere)) {
    const why = whyNot(tree.manifest.get(location), files.length);
    if (why !== undefined) problems.push(leftOut(id, location, why));
    else files.push({ id, location, origin, text: new TextDecoder().decode(await tree.read(location)) });
  }
  return { files, problems };
}

/** Where the SKILL.md of each skill lies, or should lie. */
function skillLocations(tree: Tree, elsewhere: readonly DeclaredSkill[]): ReadonlyMap<string, string> {
  const locations = new Map<string, string>();
  for (const path of tree.manifest.keys()) {
    const id = IN_SKILL_FOLDER.exec(path)?.[1];
    if (id !== undefined) locations.set(id, `skills/${id}/SKILL.md`);
  }
  for (const { name, path } of elsewhere) locations.set(name, `${path.replace(/\/+$/, '')}/SKILL.md`);
  return locations;
}

function whyNot(file: TreeFile | undefined, taken: number): string | undefined {
  if (file === undefined) return 'its folder has no SKILL.md';
  if (file.size > MAX_SKILL_BYTES) return `its SKILL.md is larger than ${MAX_SKILL_BYTES} bytes`;
  return taken >= MAX_SKILLS ? `a workspace has at most ${MAX_SKILLS} skills` : undefined;
}

function leftOut(id: string, path: string, why: string): Problem {
  return {
    code: 'skill_invalid',
    message: `skill '${id}' is left out: ${why}`,
    path,
    hint: 'give its folder a SKILL.md that begins with frontmatter with name (the folder name) and description',
  };
}
