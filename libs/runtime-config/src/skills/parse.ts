import type { Problem } from '@reins/contracts';
import { CORE_SCHEMA, load } from 'js-yaml';
import type { Skill } from './quoted.ts';

/** A SKILL.md file. */
export interface SkillFile {
  /** The name of its folder. */
  readonly id: string;
  readonly location: string;
  readonly text: string;
  readonly origin: Skill['origin'];
}

export type ParsedSkill =
  | { readonly ok: true; readonly skill: Skill }
  | { readonly ok: false; readonly problem: Problem };

const FRONTMATTER = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const MAX_FRONTMATTER = 16 * 1024;
const BAD_ID = /[/\\\0]/;

/** Parses a skill: YAML frontmatter with the name of its folder and a description, followed by text. */
export function parseSkill(file: SkillFile): ParsedSkill {
  if (file.id === '' || file.id === '.' || file.id === '..' || BAD_ID.test(file.id)) {
    return invalid(file, 'its id is not a plain folder name');
  }
  const match = FRONTMATTER.exec(file.text);
  if (match === null) return invalid(file, 'SKILL.md does not start with frontmatter between --- lines');
  const source = match[1] ?? '';
  if (source.length > MAX_FRONTMATTER) return invalid(file, 'its frontmatter is larger than 16 KiB');
  const frontmatter = readFrontmatter(source);
  if (frontmatter === undefined) return invalid(file, 'its frontmatter is not a YAML mapping');
  const name = frontmatter.name;
  const description = frontmatter.description;
  if (name !== file.id) return invalid(file, `its name must be '${file.id}', like its folder`);
  if (typeof description !== 'string' || description.trim() === '') return invalid(file, 'its description is missing');
  return {
    ok: true,
    skill: {
      id: file.id,
      name,
      description: description.trim(),
      location: file.location,
      body: skillText(file.text),
      origin: file.origin,
      grants: {
        tools: grantsOf(frontmatter, TOOL_KEYS, 'tools'),
        commands: grantsOf(frontmatter, COMMAND_KEYS, 'commands'),
      },
    },
  };
}

/** The text of a SKILL.md without its frontmatter. */
export function skillText(text: string): string {
  return text.slice(FRONTMATTER.exec(text)?.[0].length ?? 0).trim();
}

function readFrontmatter(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = load(text, { schema: CORE_SCHEMA });
    return isMapping(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const TOOL_KEYS = ['granted_tools', 'holaboss_granted_tools', 'holaboss_tools', 'capability_grants'];
const COMMAND_KEYS = ['granted_commands', 'holaboss_granted_commands', 'holaboss_commands', 'command_grants'];

/**
 * The tools or commands that a skill requests, under any current or former key. The value is a list or a
 * comma-separated string.
 */
function grantsOf(
  frontmatter: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  kind: 'tools' | 'commands',
): readonly string[] {
  const fields = snakeCaseKeys(frontmatter);
  const nested = fields.get('holaboss') ?? fields.get('reins');
  const inner = isMapping(nested) ? snakeCaseKeys(nested) : new Map<string, unknown>();
  const values = [...keys.map((key) => fields.get(key)), inner.get(`granted_${kind}`), inner.get(kind)];
  return [...new Set(values.flatMap(parseNames))];
}

function snakeCaseKeys(mapping: Readonly<Record<string, unknown>>): ReadonlyMap<string, unknown> {
  return new Map(Object.entries(mapping).map(([key, value]) => [key.replaceAll('-', '_'), value]));
}

function parseNames(value: unknown): readonly string[] {
  const parts = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? (value as unknown[]) : [];
  return parts.flatMap((part) => (typeof part === 'string' && part.trim() !== '' ? [part.trim().toLowerCase()] : []));
}

function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(file: SkillFile, why: string): ParsedSkill {
  return {
    ok: false,
    problem: {
      code: 'skill_invalid',
      message: `skill '${file.id}' is ignored: ${why}`,
      path: file.location,
      hint: 'Start SKILL.md with frontmatter that has name (the folder name) and description.',
    },
  };
}
