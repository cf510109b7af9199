import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { run } from './commands.mjs';

/** Programs that the tests of the Helm chart run. The Go module proxy has their sources, with checksums. */
const PROGRAMS = [
  { name: 'helm', version: '3.22.0', package: 'helm.sh/helm/v3/cmd/helm' },
  { name: 'kubeconform', version: '0.7.0', package: 'github.com/yannh/kubeconform/cmd/kubeconform' },
];

/** The package of PyPI that has the JSON Schemas of many versions of Kubernetes. */
const SCHEMAS = {
  requirement: 'kubernetes-validate==1.37.0',
  sha256: '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
};

/** The versions of Kubernetes that the chart is checked against: the oldest supported one, that of the test cluster, the newest. */
export const KUBERNETES_VERSIONS = ['1.30.0', '1.35.0', '1.37.0'];

/**
 * The paths of the tools below the root of a repository, whether or not they are installed. Their names contain their
 * versions, so another version is installed next to the old one.
 * @returns {{ helm: string, kubeconform: string, schemas: string }}
 */
export function chartTools(root) {
  const [helm, kubeconform] = PROGRAMS.map(({ name, version }) => join(root, '.reins', 'bin', `${name}-${version}`));
  const name = [SCHEMAS.requirement.replace('==', '-'), ...KUBERNETES_VERSIONS].join('_');
  return { helm, kubeconform, schemas: join(root, '.reins', 'cache', name) };
}

/**
 * Installs Helm, kubeconform and the schemas of Kubernetes, if they are missing. Only tests of the chart need them, so a
 * machine without Go or Python is not an error here.
 * @returns {Promise<{ did: string, installed?: boolean }>}
 */
export async function installChartTools(root, doing) {
  const tools = chartTools(root);
  const missing = [
    ...PROGRAMS.map((program) => [tools[program.name], (path, draft) => installProgram(program, path, draft)]),
    [tools.schemas, installSchemas],
  ].filter(([path]) => !existsSync(path));
  if (missing.length === 0)
    return { did: `found (${PROGRAMS.map(({ name, version }) => `${name} ${version}`).join(', ')})` };
  try {
    for (const [path, install] of missing) {
      doing(`installing ${basename(path)}`);
      await inDraft(root, (draft) => install(path, draft));
    }
  } catch (error) {
    return { did: `missing; they need Go and Python 3 with pip: ${error.message.trim().split('\n').at(-1)}` };
  }
  return { did: 'installed', installed: true };
}

/** Calls `install` with a temporary folder next to the tools. */
async function inDraft(root, install) {
  for (const folder of ['bin', 'cache']) mkdirSync(join(root, '.reins', folder), { recursive: true });
  const draft = mkdtempSync(join(root, '.reins', 'cache', 'draft-'));
  try {
    await install(draft);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Compiles a program without symbols, which keeps it small. */
async function installProgram({ name, version, package: source }, path, draft) {
  const args = ['install', '-trimpath', '-ldflags=-s -w', `${source}@v${version}`];
  await run('env', [`GOBIN=${draft}`, 'CGO_ENABLED=0', 'go', ...args], { cwd: draft, quiet: true });
  renameSync(join(draft, name), path);
}

/**
 * Keeps the strict schemas of some versions: they refuse unknown fields. Their ids are addresses of a server, so a reader
 * would look there for the definitions. Without ids, it finds them in the same folder. Their texts are left out, because
 * kubeconform reads the definitions again for each kind.
 */
const UNPACK = `
import json, os, sys, zipfile
archive, target, *versions = sys.argv[1:]

def without_texts(schema):
    return {key: value for key, value in schema.items() if key != 'description' or not isinstance(value, str)}

with zipfile.ZipFile(archive) as wheel:
    for version in versions:
        folder = f'v{version}-local-strict'
        os.makedirs(os.path.join(target, folder))
        for name in wheel.namelist():
            if not name.startswith(f'kubernetes_validate/kubernetes-json-schema/{folder}/'):
                continue
            text = wheel.read(name).replace(b'"/api/_definitions.json#', b'"_definitions.json#')
            schema = json.loads(text, object_hook=without_texts)
            schema.pop('$id', None)
            with open(os.path.join(target, folder, os.path.basename(name)), 'w') as file:
                json.dump(schema, file)
`;

async function installSchemas(path, draft) {
  const requirements = join(draft, 'requirements.txt');
  writeFileSync(requirements, `${SCHEMAS.requirement} --hash=sha256:${SCHEMAS.sha256}\n`);
  const quiet = { cwd: draft, quiet: true };
  const download = [
    '-m',
    'pip',
    'download',
    '--quiet',
    '--no-deps',
    '--require-hashes',
    '-r',
    requirements,
    '-d',
    draft,
  ];
  await run('python3', download, quiet);
  const wheel = join(draft, `${SCHEMAS.requirement.replace('-', '_').replace('==', '-')}-py3-none-any.whl`);
  const folder = join(draft, 'schemas');
  await run('python3', ['-c', UNPACK, wheel, folder, ...KUBERNETES_VERSIONS], quiet);
  renameSync(folder, path);
}
