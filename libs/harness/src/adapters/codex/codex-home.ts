import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HarnessRun } from '../../contract.ts';
import { childEnvironment } from '../../process/environment.ts';
import { codexConfig, secretVariables } from './config.ts';
import { modelCatalogue } from './model.ts';
import { tomlDocument } from './toml.ts';

/** Commands that Codex runs without asking, unless a rule says otherwise. */
const TRUSTED_COMMANDS = [
  ...['base64', 'cat', 'cd', 'cut', 'echo', 'expr', 'false', 'find', 'git', 'grep', 'head', 'id', 'ls', 'nl', 'numfmt'],
  ...['paste', 'pwd', 'rev', 'rg', 'sed', 'seq', 'stat', 'tac', 'tail', 'tr', 'true', 'uname', 'uniq', 'wc', 'which'],
  'whoami',
];

const homeOf = ({ homeDir }: Pick<HarnessRun, 'homeDir'>): string => join(homeDir, 'codex');

/** Writes the configuration of a run, and links the folder of sessions. The files contain no secrets. */
export async function writeCodexHome(run: HarnessRun): Promise<void> {
  const home = homeOf(run);
  const rules = join(home, 'rules');
  await Promise.all([rules, run.sessionDir, join(run.homeDir, 'tmp')].map((path) => mkdir(path, { recursive: true })));
  const catalogue = join(home, 'models.json');
  await Promise.all([
    symlink(run.sessionDir, join(home, 'sessions')),
    writeFile(catalogue, JSON.stringify(modelCatalogue(run))),
    writeFile(join(home, 'config.toml'), tomlDocument(codexConfig(run, catalogue))),
    writeFile(join(rules, 'reins.rules'), TRUSTED_COMMANDS.map(askFor).join('')),
  ]);
}

export const codexEnvironment = (run: HarnessRun): Record<string, string> =>
  childEnvironment({
    homeDir: run.homeDir,
    runToken: run.runToken,
    path: run.environment.path,
    extra: { CODEX_HOME: homeOf(run), ...secretVariables(run) },
  });

const askFor = (command: string): string => `prefix_rule(pattern=["${command}"], decision="prompt")\n`;
