import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { productionClosure } from '../closure/closure.mjs';
import { copy, copyOwn, copyPackage } from '../closure/copy-package.mjs';

const CLI = 'tools/cli';
const QUICKSTART = 'examples/quickstart';
/**
 * Packs the command line and everything that it needs into one tarball, which `npm install --global` installs without a
 * network. Uses what is built and installed, so the tarball is for the platform on which it was made. The packages are in
 * `lib/node_modules`, where Node finds them and npm resolves nothing.
 *
 * @param {string} root the root of the repository, built
 * @param {string} to the folder for the tarball
 * @param {(line: string) => void} note gets a line before each step that takes long
 * @returns {string} the path of the tarball
 */
export function packCli(root, to, note = () => {}) {
  const staging = mkdtempSync(join(tmpdir(), 'reins-pack-'));
  try {
    const { version, license, engines } = readJson(join(root, CLI, 'package.json'));
    const services = readdirSync(join(root, 'services')).map((name) => `services/${name}`);
    const closures = [CLI, ...services].map((folder) => productionClosure(root, folder));
    const own = new Set([CLI, ...services, ...closures.flatMap(({ siblings }) => siblings)]);
    const packages = new Set(closures.flatMap(({ packages: external }) => external));
    const modules = join(staging, 'package/lib/node_modules');
    note(`copying ${own.size + packages.size} packages …`);
    for (const folder of own)
      copyOwn(join(root, folder), join(modules, readJson(join(root, folder, 'package.json')).name));
    for (const at of packages) copyPackage(join(root, at), join(modules, placeOf(at)));
    // `reins up` finds the services and the quickstart four folders above its code, as in the repository.
    for (const service of services) cpSync(join(modules, '@reins', basename(service)), join(modules, service), TREE);
    copy(join(root, QUICKSTART), join(modules, QUICKSTART));
    const main = '#!/usr/bin/env node\nimport "../lib/node_modules/@reins/cli/bin/reins.mjs";\n';
    write(join(staging, 'package/bin/reins.mjs'), main);
    const description = 'The command line of Reins, with everything that it needs';
    const manifest = { name: 'reins', version, description, license, engines, type: 'module' };
    write(join(staging, 'package/package.json'), JSON.stringify({ ...manifest, bin: { reins: 'bin/reins.mjs' } }));
    for (const file of ['LICENSE', 'README.md']) cpSync(join(root, file), join(staging, 'package', file));
    mkdirSync(to, { recursive: true });
    const tarball = join(to, `reins-${version}-${process.platform}-${process.arch}.tgz`);
    note('compressing (takes up to two minutes) …');
    execFileSync('tar', ['--create', '--gzip', '--file', tarball, '--directory', staging, 'package'], {
      stdio: 'pipe',
    });
    return tarball;
  } finally {
    rmSync(staging, { recursive: true });
  }
}

/** Where a package goes in `lib/node_modules`. A package nested in one of ours stays nested. */
function placeOf(at) {
  const [, sibling, nested] = /^(?:libs|services|tools)\/([^/]+)\/(node_modules\/.+)$/.exec(at) ?? [];
  return sibling === undefined ? at.slice('node_modules/'.length) : `@reins/${sibling}/${nested}`;
}

const TREE = { recursive: true };

function write(file, text) {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, text, { mode: 0o755 });
}

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
