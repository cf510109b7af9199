import { STAGES } from '@reins/contracts';
import type { Findings } from './diagnostics/findings.ts';
import { addFinding } from './diagnostics/report.ts';
import { PROMPT_FILE, stageFile } from './references.ts';
import { SourceText } from './yaml/source-text.ts';

/**
 * The maximum length of a file that is passed on as a whole, such as AGENTS.md, in UTF-16 code units. YAML files have a
 * lower limit.
 */
export const MAX_REFERENCE_LENGTH = 4 * 1024 * 1024;
/** The maximum length of all YAML of one workspace, in code units. It bounds the time of a compile. */
const MAX_YAML_LENGTH = 8 * 1024 * 1024;

/** The texts of a workspace, as `CompileInput` has them. */
export interface InputTexts {
  readonly workspaceYaml: string | null;
  readonly references: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
}

/** Reports files that are too large. Returns false when all files together are too large to be parsed. */
export function checkInputSizes({ workspaceYaml, references, files = {} }: InputTexts, findings: Findings): boolean {
  for (const [file, text] of Object.entries(references)) {
    if (text.length > MAX_REFERENCE_LENGTH) {
      reportTooLarge(findings, file, text, `the file is longer than ${MAX_REFERENCE_LENGTH} characters`);
    }
  }
  const workspace = workspaceYaml === null ? Object.values(files) : [workspaceYaml];
  const length = [...workspace, ...manifestsOf(references)].reduce((sum, text) => sum + text.length, 0);
  if (length <= MAX_YAML_LENGTH) return true;
  const message = `the YAML files of the workspace are longer than ${MAX_YAML_LENGTH} characters in total`;
  reportTooLarge(findings, workspaceYaml === null ? 'config' : 'workspace.yaml', workspaceYaml ?? '', message);
  return false;
}

const INSTRUCTIONS: ReadonlySet<string> = new Set([PROMPT_FILE, ...STAGES.map(stageFile)]);

function manifestsOf(references: InputTexts['references']): readonly string[] {
  return Object.entries(references).flatMap(([path, text]) => (INSTRUCTIONS.has(path) ? [] : [text]));
}

function reportTooLarge(findings: Findings, file: string, text: string, message: string): void {
  addFinding(findings, 'error', { code: 'workspace_input_too_large', message }, true, file, () => ({
    file,
    text: new SourceText(text.slice(0, 200)),
    position: { line: 1, column: 1 },
    secret: false,
  }));
}
