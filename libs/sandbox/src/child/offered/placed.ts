import { realpathSync } from 'node:fs';
import { refusal } from '../refusals.ts';

/**
 * The file that a path of the process means. Only names of files: a number would be a pipe of ours. The permission model judges a
 * path as it is written, so that links are followed before it is asked.
 */
export function placed(path: unknown): string {
  if (typeof path !== 'string' && !(path instanceof URL)) throw refusal('access to open files');
  return realpathSync.native(path);
}

export type Encoding = BufferEncoding | { readonly encoding?: BufferEncoding };

/** Null: bytes are wanted. */
export function encodingOf(options: Encoding | undefined): BufferEncoding | null {
  return typeof options === 'string' ? options : (options?.encoding ?? null);
}
