import { readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

let found: readonly number[] | undefined;

/**
 * Descriptors that this process inherited from its parent and that its children would inherit, too. Node.js opens all
 * other descriptors with close-on-exec, so the result does not change and is cached.
 */
export function inheritedDescriptors(): readonly number[] {
  found ??= readdirSync('/proc/self/fd').map(Number).filter(isInherited);
  return found;
}

function isInherited(descriptor: number): boolean {
  if (descriptor < 3) return false;
  try {
    const [, flags = '0'] = /^flags:\s+(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? [];
    return (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    return false; // The descriptor of the listing itself.
  }
}
