/**
 * Measures the CPU time of preparing one stage: decoding the event, staging, contexts, projection, host request,
 * fingerprint, snapshot, and encoding and hashing of the stored documents. Only the bus is not included. Run `node
 * services/runner-prep/bench/prepare.ts [rounds] [--json]` after a build. Each case simulates a warm service: one plan,
 * one tree, and a new request each time.
 */
import { createHash } from 'node:crypto';
import type { BlobRef, JsonObject, RuntimePrepareRequested } from '@reins/contracts';
import { Settings } from '@reins/service-kit';
import { compileWorkspace } from '@reins/workspace-plan';
import { MemoryBlobs, TreeStore, treeFromEntries } from '@reins/workspace-tree';
import { Attachments } from '../dist/attachments/attachments.js';
import { TextExtractor } from '../dist/attachments/text-extractor.js';
import { harnessCapabilities } from '../dist/harness-capabilities.js';
import { installationOf, secretsOf } from '../dist/installation.js';
import { Preparer } from '../dist/preparer.js';
import { SkillLibrary } from '../dist/staging/skill-library.js';
import type { BlobStore } from '../src/blob-store.ts';

const AGENTS = 'Keep the notes of this team in order. '.repeat(100);
const SERVERS = Array.from(
  { length: 6 },
  (_, n) =>
    `    s${n}: {type: remote, url: "https://s${n}.example/mcp", headers: {Authorization: "Bearer {env:TOKEN}"}}`,
);
const SMALL = 'agents: {id: main, model: local/m}\nmcp_registry: {servers: {}}\n';
const LARGE = `agents: {id: main, model: local/m}
mcp_registry:
  allowlist: {tool_ids: [s0.search, s1.create_post, s1.list_posts]}
  servers:
${SERVERS.join('\n')}
`;
const FILES = Array.from({ length: 200 }, (_, n) => ({ path: `notes/${n}.md`, content: `note ${n}` }));
const SKILL = '---\nname: sort\ndescription: sorts notes\n---\nSort by date.\n';
const TURN = {
  requestId: 'r0',
  input: 'Sort them',
  output: 'Sorted. '.repeat(20),
  endedAt: '2026-11-21T10:00:00.000Z',
};
const LATER = {
  iteration: 2,
  context: {
    interview: 'Goal: the notes are sorted.\n- every note has a date\n'.repeat(5),
    previous: 'Sorted the notes. '.repeat(40),
    verdict: { outcome: 'fail', score: 0.4, reasons: ['two notes have no date', 'the index is stale'] },
    reflection: 'Look at the notes without a date first. '.repeat(20),
    session: { turns: [TURN, TURN, TURN, TURN] },
  },
};

/** Blobs are hashed as in the real store, but not stored. */
class HashedBlobs implements BlobStore {
  readonly #kept = new Map<string, Uint8Array>();

  readonly get = async (ref: string | BlobRef): Promise<Uint8Array> =>
    this.#kept.get(typeof ref === 'string' ? ref : ref.sha256) ?? new Uint8Array();

  readonly put = async (bytes: Uint8Array): Promise<BlobRef> => ({
    sha256: createHash('sha256').update(bytes).digest('hex'),
    size: bytes.byteLength,
  });

  async keep(value: unknown): Promise<BlobRef> {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const ref = await this.put(bytes);
    this.#kept.set(ref.sha256, bytes);
    return ref;
  }
}

const rounds = Number(process.argv.slice(2).find((arg) => arg !== '--json') ?? 10_000);

interface Measurement {
  /** CPU time of one preparation in microseconds. */
  readonly 'µs of CPU': number;
  /** Share of each step in the time of one preparation, in per cent. Steps below half a per cent are omitted. */
  readonly 'share of the time, %': Readonly<Record<string, number>>;
}

async function measure(workspaceYaml: string, more: JsonObject): Promise<Measurement> {
  const settings = new Settings();
  settings.providers = {
    local: { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'sk-0123456789' },
  };
  settings.host.secrets = ['TOKEN'];
  const blobs = new HashedBlobs();
  const trees = new TreeStore(new MemoryBlobs());
  const tree = treeFromEntries([...FILES, { path: 'skills/sort/SKILL.md', content: SKILL }]);
  await trees.put(tree);
  const preparer = new Preparer({
    blobs,
    trees,
    attachments: new Attachments({ blobs, extractor: new TextExtractor({ deadlineMs: 1_000, memoryMb: 64 }) }),
    skills: await SkillLibrary.open(undefined),
    installation: installationOf(settings),
    desktop: undefined,
    contextDeadlineMs: 1_500,
    harnessOf: () => harnessCapabilities(['model', 'mcp', 'editsFiles', 'images']),
    secrets: secretsOf(settings, { TOKEN: 'token-0123456789' }),
  });
  const compiled = compileWorkspace({ workspaceId: 'bench', workspaceYaml, references: { 'AGENTS.md': AGENTS } });
  if (!compiled.ok) throw new Error(compiled.error.message);
  const planRef = await blobs.keep({ inputsChecksum: compiled.inputs_checksum, plan: compiled.plan, diagnostics: [] });
  const event = (n: number): RuntimePrepareRequested => ({
    type: 'runtime.prepare.requested',
    requestId: `request-${n}`,
    sessionId: `session-${n % 100}`,
    agentId: 'main',
    workspaceId: 'bench',
    effectId: `e${n}`,
    attempt: 1,
    stage: 'execute',
    runtimeId: 'pi',
    planRef,
    iteration: 1,
    input: { input: `Sort the notes of week ${n}.`, attachments: [], metadata: {} },
    tree: tree.treeId,
    ...more,
  });
  for (let n = 0; n < rounds / 10; n += 1) await preparer.prepare(event(n));
  const spent = new Map<string, number>();
  const before = process.cpuUsage();
  for (let n = 0; n < rounds; n += 1) {
    const { timings } = await preparer.prepare(event(n));
    for (const [step, ms] of Object.entries(timings)) spent.set(step, (spent.get(step) ?? 0) + ms);
  }
  const { user, system } = process.cpuUsage(before);
  const total = [...spent.values()].reduce((sum, ms) => sum + ms, 0);
  const shares = [...spent].map(([step, ms]) => [step, Math.round((ms / total) * 1000) / 10] as const);
  return {
    'µs of CPU': (user + system) / rounds,
    'share of the time, %': Object.fromEntries(shares.filter(([, share]) => share >= 0.5)),
  };
}

const results = {
  'no apps, no servers': await measure(SMALL, {}),
  'no apps, 6 servers, 3 named tools': await measure(LARGE, {}),
  'the same, second iteration with history and contexts': await measure(LARGE, LATER),
};
console.log(JSON.stringify(results, null, process.argv.includes('--json') ? 0 : 2));
