/**
 * Whether a link at `path` with this target stays inside its tree, no matter where the tree is stored.
 *
 * `..` is allowed only at the start of a target, and not above the root: the folder of the link is a real folder, and
 * so are its parents. After a name, `..` is rejected, because that name may be another link with an unknown parent.
 * Since every link of a tree follows this rule, no chain of links leaves the tree.
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
