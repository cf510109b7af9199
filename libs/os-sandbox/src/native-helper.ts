import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCE = fileURLToPath(new URL('../native/confine.c', import.meta.url));
const FOLDER = fileURLToPath(new URL('../dist/native/', import.meta.url));
const COMPILERS = ['/usr/bin/cc', '/usr/bin/gcc', '/usr/bin/clang'];

/**
 * The path of the helper that confines a child without namespaces. It is compiled once if there is a C compiler. For an
 * image without a compiler, it is compiled while the image is built.
 * @throws Error that says why there is no helper
 */
export function nativeHelper(): string {
  const source = readFileSync(SOURCE);
  const name = `confine-${process.arch}-${createHash('sha256').update(source).digest('hex').slice(0, 16)}`;
  const program = join(FOLDER, name);
  if (!existsSync(program)) compile(program);
  accessSync(program, constants.X_OK);
  return program;
}

function compile(program: string): void {
  const compiler = COMPILERS.find(existsSync);
  if (compiler === undefined) throw new Error('the helper is not built, and there is no C compiler');
  mkdirSync(FOLDER, { recursive: true });
  const unfinished = `${program}.${process.pid}`;
  execFileSync(compiler, ['-O2', '-Wall', '-o', unfinished, SOURCE], { stdio: 'pipe' });
  renameSync(unfinished, program); // Another process may be compiling it, too.
}
