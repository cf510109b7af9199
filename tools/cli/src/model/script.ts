import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '@reins/contracts';
import { parseScript, type Script, toolCallScript } from '@reins/scripted-model';
import { wrongUsage } from '../arguments.ts';
import type { RequestListed } from '../client/api-types.ts';
import { GatewayClient } from '../client/gateway-client.ts';
import { type CliContext, gatewayAddress, MODEL_SCRIPT, readIfExists, runFile } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { printJson } from '../output/print.ts';
import { jsonFileOption, jsonOption } from '../runs/values.ts';

/** The most running requests that are named. */
const MAX_NAMED = 10;

export interface ScriptFlags {
  readonly call?: string;
  readonly args?: string;
  readonly reset?: boolean;
}

/**
 * `reins model script`: shows the script of the scripted model, or replaces it. The script is a file of the state
 * folder, which a running system reads for each request.
 * @throws ReinsError `wrong_usage` · `script_invalid`
 */
export async function modelScript(
  context: CliContext,
  source: string | undefined,
  flags: ScriptFlags,
): Promise<ExitCode> {
  const file = join(context.stateDir, MODEL_SCRIPT);
  if ([source, flags.call, flags.reset].filter((given) => given !== undefined).length > 1)
    throw wrongUsage('a file, --call and --reset cannot be combined');
  if (flags.args !== undefined && flags.call === undefined) throw wrongUsage('--args is for --call only');
  if (flags.reset) {
    rmSync(file, { force: true });
    await reportRunning(context);
    return report(context, file, null, 'the scripted model uses its built-in script');
  }
  const script = givenScript(source, flags);
  if (script === undefined) return show(context, file);
  mkdirSync(dirname(file), { recursive: true });
  // A running system never reads half of a file.
  writeFileSync(`${file}.new`, `${JSON.stringify(script, null, 2)}\n`);
  renameSync(`${file}.new`, file);
  if (runFile(context.stateDir) === undefined)
    context.note(`no system has run in ${context.stateDir} yet; the next \`reins up\` there uses the script`);
  await reportRunning(context);
  return report(context, file, script, `the scripted model uses ${file}`);
}

function givenScript(source: string | undefined, { call, args }: ScriptFlags): Script | undefined {
  if (source !== undefined) return parseScript(source, jsonFileOption(source, 'file'));
  if (call === undefined) return undefined;
  const given = args === undefined ? {} : jsonOption(args, '--args');
  if (!isObject(given)) throw wrongUsage('--args must be a JSON object');
  return parseScript('--call', toolCallScript(call, given));
}

function show(context: CliContext, file: string): ExitCode {
  const text = readIfExists(file);
  if (text === undefined) return report(context, file, null, 'the scripted model uses its built-in script');
  if (context.json) printJson(context, { file, script: JSON.parse(text) });
  else context.out(text);
  return EXIT.ok;
}

/**
 * Reports which requests continue with another script than they began with. Reports all if the system of the state
 * folder cannot list them, and none if no system is running.
 */
async function reportRunning({ stateDir, note }: CliContext): Promise<void> {
  if (runFile(stateDir) === undefined) return;
  // The script is that of the state folder, even if the environment names another system.
  const client = new GatewayClient(gatewayAddress({ stateDir, env: {} }));
  const running = await client
    .get<{ requests: readonly RequestListed[] }>(`/requests?status=running&limit=${MAX_NAMED}`)
    .then(({ requests }) => requests.map(({ requestId }) => requestId).join(', '))
    .catch(() => undefined);
  if (running === '') return;
  note(`running requests use the new script from their next model call${running === undefined ? '' : `: ${running}`}`);
}

/** Reports which script is in use; `null` is the built-in one. */
function report(context: CliContext, file: string, script: Script | null, line: string): ExitCode {
  if (context.json) printJson(context, { file, script });
  else context.out(`${line}\n`);
  return EXIT.ok;
}
