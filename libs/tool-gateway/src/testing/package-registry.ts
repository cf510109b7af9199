import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { tempDir } from '@reins/testing';

const run = promisify(execFile);

/** An MCP server without dependencies. Its tool says which package it is from, and where its code is. */
const NPM_SERVER = `#!/usr/bin/env node
import { createInterface } from 'node:readline';
const { version } = JSON.parse((await import('node:fs')).readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const results = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'npm', version } }),
  'tools/list': () => ({ tools: [{ name: 'origin', inputSchema: { type: 'object' } }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: 'npm ' + version + ' ' + process.argv.slice(2).join(' ') }] }),
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} }));
}
`;

const PYPI_SERVER = `import json, sys
def main():
    for line in sys.stdin:
        message = json.loads(line)
        if 'id' not in message:
            continue
        method, params = message['method'], message.get('params', {})
        if method == 'initialize':
            result = {'protocolVersion': params['protocolVersion'], 'capabilities': {'tools': {}}, 'serverInfo': {'name': 'pypi', 'version': '1'}}
        elif method == 'tools/list':
            result = {'tools': [{'name': 'origin', 'inputSchema': {'type': 'object'}}]}
        else:
            result = {'content': [{'type': 'text', 'text': 'pypi ' + sys.prefix}]}
        print(json.dumps({'jsonrpc': '2.0', 'id': message['id'], 'result': result}), flush=True)
`;

/** A registry for npm and pip on this machine, with the packages \`some-server\` 1.0.0. */
export interface PackageRegistry {
  /** The variables that direct npm and pip to it. */
  readonly variables: Readonly<Record<string, string>>;
  readonly npmIntegrity: string;
  readonly wheelHash: string;
  /** The number of times that each file was downloaded. */
  readonly downloads: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function startPackageRegistry(): Promise<PackageRegistry> {
  const root = await tempDir('registry');
  const [tarball, wheel] = [await npmTarball(root), await pythonWheel(root)];
  const npmIntegrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const wheelHash = `sha256:${createHash('sha256').update(wheel).digest('hex')}`;
  const downloads = new Map<string, number>();
  const server = createServer((request, response) => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const files: Readonly<Record<string, () => string | Uint8Array>> = {
      '/npm/some-server': () => JSON.stringify(packument(address, npmIntegrity)),
      '/npm/some-server.tgz': () => tarball,
      '/simple/some-server/': () => `<a href="/${WHEEL}#${wheelHash.replace(':', '=')}">${WHEEL}</a>`,
      [`/${WHEEL}`]: () => wheel,
    };
    const path = (request.url ?? '').replace(/\?.*/, '');
    const content = files[path]?.();
    if (content === undefined) return void response.writeHead(404).end('{}');
    downloads.set(path, (downloads.get(path) ?? 0) + 1);
    response
      .writeHead(200, { 'content-type': path.startsWith('/simple') ? 'text/html' : 'application/json' })
      .end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const variables = {
    npm_config_registry: `${address}/npm/`,
    PIP_INDEX_URL: `${address}/simple/`,
    PIP_CONFIG_FILE: '/dev/null',
  };
  return { variables, npmIntegrity, wheelHash, downloads, close: () => closed(server) };
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

const packument = (address: string, integrity: string) => ({
  name: 'some-server',
  'dist-tags': { latest: '1.0.0' },
  versions: {
    '1.0.0': {
      ...{ name: 'some-server', version: '1.0.0', bin: { 'some-server': 'main.mjs' } },
      dist: { tarball: `${address}/npm/some-server.tgz`, integrity },
    },
  },
});

async function npmTarball(root: string): Promise<Uint8Array> {
  const script = "node -e \"require('node:fs').writeFileSync('scripts-ran', '')\"";
  const manifest = {
    ...{ name: 'some-server', version: '1.0.0', type: 'module', bin: { 'some-server': 'main.mjs' } },
    scripts: { preinstall: script, install: script, postinstall: script },
  };
  await files(join(root, 'npm', 'package'), { 'package.json': JSON.stringify(manifest), 'main.mjs': NPM_SERVER });
  await run('tar', ['-czf', join(root, 'package.tgz'), '-C', join(root, 'npm'), 'package']);
  return readFile(join(root, 'package.tgz'));
}

const WHEEL = 'some_server-1.0.0-py3-none-any.whl';

async function pythonWheel(root: string): Promise<Uint8Array> {
  const info = 'some_server-1.0.0.dist-info';
  const folder = join(root, 'wheel');
  const content = {
    'some_server/__init__.py': PYPI_SERVER,
    [`${info}/METADATA`]: 'Metadata-Version: 2.1\nName: some-server\nVersion: 1.0.0\n',
    [`${info}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    [`${info}/entry_points.txt`]: '[console_scripts]\nsome-server = some_server:main\n',
    [`${info}/RECORD`]: '',
  };
  await files(folder, content);
  const names = ['some_server', info];
  await run('python3', ['-m', 'zipfile', '-c', join(root, WHEEL), ...names], { cwd: folder });
  return readFile(join(root, WHEEL));
}

async function files(folder: string, content: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(content)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}
