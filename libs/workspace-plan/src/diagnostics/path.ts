import type { PathSegment } from '../yaml/trace-path.ts';

/** `['a', 0, 'b']` → `a[0].b`. Names stand as the author wrote them, dots included. */
export function formatPath(path: readonly PathSegment[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
