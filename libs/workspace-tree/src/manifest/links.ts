/**
 * Whether a link at `path` that points at `target` stays inside its tree, wherever its tree is put.
 *
 * A target may climb (`..`) at its start alone, and not above the root: where the link stands is a real folder, so these
 * steps are too. Behind a name no climbing is admitted, since that name may be another link, and what lies above *its*
 * target is not known here. Every link of a tree keeps this rule, so none of them leads out, one through the other either.
 */
export function staysInside(path: string, target: string): boolean {
  if (target === '' || target.startsWith('/') || target.includes('\0') || target.includes('\\')) return false;
  let depth = path.split('/').length - 1;
  let descended = false;
  for (const name of target.split('/')) {
    if (name === '' || name === '.') continue;
    if (name !== '..') {
      descended = true;
    } else {
      depth -= 1;
      if (descended || depth < 0) return false;
    }
  }
  return true;
}
