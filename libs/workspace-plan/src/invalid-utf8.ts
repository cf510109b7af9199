import { WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
import type { Findings } from './diagnostics/findings.ts';
import { addFinding } from './diagnostics/report.ts';
import type { InputTexts } from './input-limits.ts';
import { SourceText } from './yaml/source-text.ts';

/** The character that a UTF-8 decoder substitutes for invalid bytes (Unicode, section 3.9). */
const REPLACEMENT = '\u{fffd}';

/**
 * Warns once per file about bytes that are not UTF-8, because the text that is read differs from what the author wrote.
 */
export function warnAboutInvalidUtf8({ workspaceYaml, references, files = {} }: InputTexts, findings: Findings): void {
  const documents = workspaceYaml === null ? files : { [WORKSPACE_FILE]: workspaceYaml };
  for (const [file, content] of [...Object.entries(documents), ...Object.entries(references)]) {
    if (!content.includes(REPLACEMENT)) continue;
    const text = new SourceText(content);
    const finding = {
      code: 'workspace_encoding_invalid',
      message: 'the file is not valid UTF-8; some characters are lost',
    } as const;
    addFinding(findings, 'warning', finding, true, file, () => ({
      file,
      text,
      position: text.position(text.body.indexOf(REPLACEMENT)),
      secret: true,
    }));
  }
}
