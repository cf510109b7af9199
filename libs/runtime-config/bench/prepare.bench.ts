/**
 * What `prepareStage` costs of CPU: `node --conditions=reins-source libs/runtime-config/bench/prepare.bench.ts [rounds] [--json]`.
 * Each case runs as a warm service has it: one plan object, a new request every time.
 */
import {
  type PrepareStageInput,
  prepareMcp,
  prepareStage,
  projectAgentRuntimeConfig,
  requestFingerprint,
  routeModel,
  turnRequestSnapshot,
} from '../src/index.ts';
import { HARNESS, INSTALLATION, planOf } from '../src/testing/inputs.ts';

const AGENTS = 'Keep the notes of this team in order. '.repeat(100);
const SERVERS = Array.from({ length: 6 }, (_, index) => ({
  server_id: `s${index}`,
  type: 'remote' as const,
  command: [],
  url: `https://s${index}.example/mcp`,
  headers: [['Authorization', 'Bearer {env:TOKEN}']] as const,
  environment: [],
  timeout_ms: 10_000,
}));

function inputFor(plan: PrepareStageInput['plan']): Omit<PrepareStageInput, 'request' | 'instruction'> {
  return {
    plan,
    installation: { ...INSTALLATION, environmentNames: new Set(['TOKEN']) },
    stage: 'execute',
    iteration: 1,
    runtimeId: 'pi',
    harness: HARNESS,
  };
}

const small = inputFor(planOf({ resolved_prompts: { 'workspace.general': AGENTS } }));
const large = inputFor(
  planOf({
    resolved_prompts: { 'workspace.general': AGENTS },
    resolved_mcp_servers: SERVERS,
    resolved_mcp_tool_refs: [
      { tool_id: 's0.search', server_id: 's0', tool_name: 'search' },
      { tool_id: 's1.create_post', server_id: 's1', tool_name: 'create_post' },
      { tool_id: 's1.list_posts', server_id: 's1', tool_name: 'list_posts' },
    ],
  }),
);

const CASES: readonly (readonly [string, Omit<PrepareStageInput, 'request' | 'instruction'>])[] = [
  ['no apps, no servers', small],
  ['no apps, 6 servers, 3 named tools', large],
  [
    'the same, second iteration with history and contexts',
    {
      ...large,
      iteration: 2,
      history: {
        brief: 'Goal: the notes are sorted.\n- every note has a date\n- the newest is first'.repeat(5),
        execution: 'Sorted the notes. '.repeat(40),
        verdict: { outcome: 'fail', score: 0.4, reasons: ['two notes have no date', 'the index is stale'] },
        reflection: 'Look at the notes without a date first. '.repeat(20),
      },
      contexts: {
        current_user: { status: 'loaded', value: { profile_id: 'default', name: 'Ada' } },
        session_resume: {
          status: 'loaded',
          value: {
            recent_turns: Array.from({ length: 4 }, () => ({
              status: 'completed',
              summary: 'Did this and that. '.repeat(8),
            })),
          },
        },
      },
    },
  ],
];

const rounds = Number(process.argv.slice(2).find((arg) => arg !== '--json') ?? 20_000);

/** Microseconds of CPU time of one call, after a warm-up of a tenth of the rounds. */
function cpu(call: (n: number) => unknown): number {
  for (let n = 0; n < rounds / 10; n += 1) call(n);
  const before = process.cpuUsage();
  for (let n = 0; n < rounds; n += 1) call(n);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / rounds;
}

/** Microseconds, by case and by step. */
const results: Record<string, Record<string, number>> = {};
for (const [name, input] of CASES) {
  const request = (n: number): PrepareStageInput => ({
    ...input,
    request: { workspaceId: 'bench', sessionId: `session-${n % 100}`, requestId: `request-${n}` },
    instruction: `Sort the notes of week ${n}.`,
    secrets: ['sk-live-0123456789', 'ghp_0123456789'],
  });
  const mcp = prepareMcp(request(0));
  const model = routeModel(request(0));
  const { hostRequest, runtimeConfig: config } = prepareStage(request(0));
  const parts = { profile: config.prompt_cache_profile, manifest: config.capability_manifest, servers: mcp.names };
  const stored = {
    request: hostRequest,
    rawInstruction: '',
    mode: 'single',
    sections: [],
    manifest: parts.manifest,
    contexts: [],
  };
  results[name] = {
    'all of it': cpu((n) => prepareStage(request(n))),
    'servers and model': cpu((n) => [prepareMcp(request(n)), routeModel(request(n))]),
    'runtime config': cpu((n) => projectAgentRuntimeConfig(request(n), { mcp, model })),
    fingerprint: cpu(() => requestFingerprint(hostRequest, parts)),
    snapshot: cpu(() => turnRequestSnapshot(stored, { secrets: request(0).secrets ?? [] })),
  };
}

if (process.argv.includes('--json')) console.log(JSON.stringify({ 'µs of CPU': results }));
else
  for (const [name, steps] of Object.entries(results)) {
    console.log(`${name}: µs of CPU a request`);
    for (const [step, micros] of Object.entries(steps)) console.log(`  ${step.padEnd(18)} ${micros.toFixed(1)}`);
  }
