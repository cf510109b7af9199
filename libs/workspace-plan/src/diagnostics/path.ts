import type { PathSegment } from '../yaml/node-positions.ts';

/** `['a', 0, 'b']` → `a[0].b`. Names are not escaped, even when they contain dots. */
export function formatPath(path: readonly PathSegment[]): string {
  let text = '';
  for (const segment of path) {
    if (typeof segment === 'number') text += `[${segment}]`;
    else text += text === '' ? segment : `.${segment}`;
  }
  return text;
}
