import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { toString: named } = Error.prototype;

/**
 * Lets the stacks of errors tell of the process's own code, by its paths in its folder: where that folder and our own code lie, and at which
 * line of ours it was called, is another thing on another machine and in another version.
 */
export function ownStacks(root: string): void {
  const places = [pathToFileURL(join(root, '/')).href, join(root, '/')];
  const prepareStackTrace = (error: Error, sites: readonly NodeJS.CallSite[]): string => {
    const lines = sites.map(String).filter((line) => places.some((place) => line.includes(place)));
    const own = lines.map((line) => `\n    at ${places.reduce((text, place) => text.replaceAll(place, ''), line)}`);
    return `${named.call(error)}${own.join('')}`;
  };
  Object.defineProperty(Error, 'prepareStackTrace', { value: prepareStackTrace, writable: true, configurable: true });
}
