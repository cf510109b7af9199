import { WORKSPACE_FILE } from './compile/compile-workspace-file.ts';
import type { CompileInput } from './compile.ts';
import type { Findings } from './diagnostics/findings.ts';
import { addFinding } from './diagnostics/report.ts';
import { SourceText } from './yaml/source-text.ts';

/** What a decoder of UTF-8 puts in the place of bytes that are none (Unicode, section 3.9). */
const REPLACEMENT = '\u{fffd}';

/** Warns about files whose bytes are not UTF-8: something else than what their author wrote would be read. Once for each file. */
export function warnAboutInvalidUtf8(
  { workspaceYaml, references, files = {} }: CompileInput,
  findings: Findings,
): void {
  const documents = workspaceYaml === null ? files : { [WORKSPACE_FILE]: workspaceYaml };
  for (const [file, content] of [...Object.entries(documents), ...Object.entries(references)]) {
    if (!content.includes(REPLACEMENT)) continue;
    const text = new SourceText(content);
    const note = {
      code: 'workspace_encoding_invalid',
      message: 'what stands here is no UTF-8, so another text is read than was written',
    } as const;
    addFinding(findings, 'warning', note, true, file, () => ({
      file,
      text,
      place: text.place(text.body.indexOf(REPLACEMENT)),
      secret: true,
    }));
  }
}
