import type { Findings } from '../diagnostics/findings.ts';
import { addFinding } from '../diagnostics/report.ts';
import type { YamlDocument } from '../yaml/document.ts';

/** What is checked in every document, whatever it says: it must not contain itself. */
export function checkDocument(findings: Findings, file: string, document: YamlDocument): void {
  const [cycle] = document.cycles;
  if (!cycle) return;
  const note = {
    code: 'workspace_yaml_unsafe',
    message: 'an alias stands inside the node that it names, so the document has no end',
    advice: 'write the value out, or move the anchor',
  } as const;
  addFinding(findings, 'error', note, true, file, () => ({
    file,
    text: document.text,
    place: cycle,
    secret: false,
  }));
}
