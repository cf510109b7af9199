import { type HostPaths, withoutHostPaths } from '../errors/error-excerpt.ts';
import { GENERATION } from './tool-modules.ts';

/** A stack frame in a file of the workspace, after host paths were removed. Other frames have absolute paths or URLs. */
const OWN_FRAME = /^\s+at (?:.* \()?((?!node:|file:|\/)[^()]+:\d+:\d+)\)?$/;

/** What a tool threw, for the model and for its author: `TypeError: … (tools/weather.mjs:2:9)`. */
export function thrownText(error: unknown, folders: HostPaths): string {
  if (!(error instanceof Error)) return `Error: ${String(error)}`;
  const stack = withoutHostPaths(String(error.stack).replaceAll(GENERATION, ''), folders);
  const [place] = stack.split('\n').flatMap((line) => OWN_FRAME.exec(line)?.[1] ?? []);
  const text = `${error.name}: ${withoutHostPaths(error.message, folders)}`;
  return place === undefined ? text : `${text} (${place})`;
}
