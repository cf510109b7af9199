import type { Diagnostic } from './diagnostic.ts';

/** A diagnostic for a terminal: where it stands, what is wrong, the line with the place marked, and what to do. */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, message, path, source, hint } = diagnostic;
  const lines = [`${file}:${line}:${column} ${severity} ${code}`, `  ${message} (${path})`];
  if (source.trim() !== '') {
    const marker = column <= source.length ? `${source.slice(0, column - 1).replace(/[^\t]/g, ' ')}^` : '';
    lines.push(`  | ${source}`, ...(marker ? [`  | ${marker}`] : []));
  }
  return [...lines, `  ${hint}`].join('\n');
}
