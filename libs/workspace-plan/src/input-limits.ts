import { STAGES } from '@reins/contracts';
import type { Findings } from './diagnostics/findings.ts';
import { addFinding } from './diagnostics/report.ts';
import { PROMPT_FILE, stageFile } from './references.ts';
import { SourceText } from './yaml/source-text.ts';

/** UTF-16 code units of one file that is handed on whole, such as AGENTS.md. A file of YAML has a lower limit of its own. */
export const MAX_REFERENCE_LENGTH = 4 * 1024 * 1024;
/** Code units of all YAML of one workspace: what bounds the time that a compile takes. */
const MAX_YAML_LENGTH = 8 * 1024 * 1024;

interface Texts {
  readonly workspaceYaml: string | null;
  readonly references: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** Tells of files that are too large. False when all of them together are too much to be read at all. */
export function checkInputSizes({ workspaceYaml, references, files = {} }: Texts, findings: Findings): boolean {
  for (const [file, text] of Object.entries(references)) {
    if (text.length > MAX_REFERENCE_LENGTH) {
      tooLarge(findings, file, text, `the file is longer than ${MAX_REFERENCE_LENGTH} characters`);
    }
  }
  const workspace = workspaceYaml === null ? Object.values(files) : [workspaceYaml];
  const length = [...workspace, ...manifestsOf(references)].reduce((sum, text) => sum + text.length, 0);
  if (length <= MAX_YAML_LENGTH) return true;
  const message = `the YAML files of the workspace are longer than ${MAX_YAML_LENGTH} characters together`;
  tooLarge(findings, workspaceYaml === null ? 'config' : 'workspace.yaml', workspaceYaml ?? '', message);
  return false;
}

const INSTRUCTIONS: ReadonlySet<string> = new Set([PROMPT_FILE, ...STAGES.map(stageFile)]);

function manifestsOf(references: Texts['references']): readonly string[] {
  return Object.entries(references).flatMap(([path, text]) => (INSTRUCTIONS.has(path) ? [] : [text]));
}

function tooLarge(findings: Findings, file: string, text: string, message: string): void {
  addFinding(findings, 'error', { code: 'workspace_input_too_large', message }, true, file, () => ({
    file,
    text: new SourceText(text.slice(0, 200)),
    place: { line: 1, column: 1 },
    secret: false,
  }));
}
