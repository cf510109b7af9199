import type { Findings } from '../diagnostics/findings.ts';
import { addFinding } from '../diagnostics/report.ts';
import type { YamlDocument } from '../yaml/document.ts';

/** Reports an anchor that contains an alias of itself. Applies to every YAML document. */
export function checkDocument(findings: Findings, file: string, document: YamlDocument): void {
  const [cycle] = document.cycles;
  if (!cycle) return;
  const finding = {
    code: 'workspace_yaml_unsafe',
    message: 'an alias refers to the node that contains it, so the document is infinite',
    specificHint: 'replace the alias with the value, or move the anchor',
  } as const;
  addFinding(findings, 'error', finding, true, file, () => ({
    file,
    text: document.text,
    position: document.positionOf(cycle),
    secret: false,
  }));
}
