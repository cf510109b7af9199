import type { Diagnostic } from './diagnostic.ts';

/** Formats a diagnostic for a terminal: position, message, source line with a marker, and hint. */
export function renderDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, severity, code, message, path, source, hint } = diagnostic;
  const lines = [`${file}:${line}:${column} ${severity} ${code}`, `  ${message} (${path})`];
  if (source.trim() !== '') {
    const marker = column <= source.length ? `${source.slice(0, column - 1).replace(/[^\t]/g, ' ')}^` : '';
    lines.push(`  | ${source}`, ...(marker ? [`  | ${marker}`] : []));
  }
  return [...lines, `  ${hint}`].join('\n');
}
