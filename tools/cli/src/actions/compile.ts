import { basename, resolve } from 'node:path';
import { compileWorkspace, gatherInput, renderDiagnostic } from '@reins/workspace-plan';
import { capture } from '@reins/workspace-tree';
import { folder } from '../arguments.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';

/** `reins compile` */
export async function compile(context: CliContext, dir: string): Promise<ExitCode> {
  const { manifest, read } = await capture(folder(dir), { refused: 'leave-out' });
  const textOf = async (path: string): Promise<string | undefined> =>
    manifest.has(path) ? new TextDecoder().decode(await read(path)) : undefined;
  const input = await gatherInput(basename(resolve(dir)), { paths: () => manifest.keys(), read: textOf });
  const result = compileWorkspace(input);
  if (context.json) {
    const { diagnostics } = result;
    printJson(
      context,
      result.ok ? { ok: true, plan: result.plan, diagnostics } : { ok: false, error: result.error, diagnostics },
    );
  } else {
    for (const diagnostic of result.diagnostics) context.note(renderDiagnostic(diagnostic));
    if (result.ok) context.out(`${dir} compiles (${result.plan.config_checksum.slice(0, 12)})\n`);
  }
  return result.ok ? EXIT.ok : EXIT.failed;
}
