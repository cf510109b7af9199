import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { sha256Hex } from '../canonical.ts';
import type { StageContexts } from '../contexts/types.ts';
import type { PrepareStageInput } from '../prepare/input.ts';
import { type PreparedStage, prepareStage } from '../prepare/prepare-stage.ts';
import { HARNESS, inputOf, planOf } from '../testing/inputs.ts';
import { projectPrompt } from './project.ts';
import { orderSections, PRECEDENCES, type PromptSection, VOLATILITIES } from './sections.ts';
import { projectSystemPrompt } from './system-prompt.ts';

const prepare = (overrides: Partial<PrepareStageInput> = {}): PreparedStage => prepareStage(inputOf(overrides));

const SERVERS = (['a', 'b'] as const).map((server_id) => ({
  server_id,
  type: 'remote' as const,
  command: [],
  url: `https://${server_id}.example`,
  headers: [],
  environment: [],
  timeout_ms: 1000,
}));
const REF = { tool_id: 'a.search', server_id: 'a', tool_name: 'search' };

describe('prompt', () => {
  test('layers are in the documented order and form the system prompt', () => {
    const { runtimeConfig: config } = prepare();
    expect(config.prompt_layers.map((layer) => layer.id)).toEqual([
      'runtime_core',
      'execution_policy',
      'response_delivery_policy',
      'session_policy',
      'capability_policy',
      'workspace_policy',
      'stage_policy',
    ]);
    expect(config.system_prompt).toBe(config.prompt_layers.map((layer) => layer.content).join('\n\n'));
  });

  test('omits the sections of a missing workspace prompt and a missing recent run', () => {
    const { runtimeConfig: config } = prepare({ plan: planOf({ resolved_prompts: { 'workspace.general': '' } }) });
    const ids = config.prompt_sections.map((section) => section.id);
    expect(ids).not.toContain('workspace_policy');
    expect(ids).not.toContain('recent_runtime_context');
    expect(config.context_messages).toEqual([]);
  });

  test('run-specific texts do not change the cacheable fingerprint', () => {
    const contexts: StageContexts = { recent_runtime: { status: 'loaded', value: { last_error: 'it broke' } } };
    const [plain, rich] = [prepare(), prepare({ contexts, history: { brief: 'Do it well.' }, iteration: 2 })];
    const profile = rich.runtimeConfig.prompt_cache_profile;
    expect(profile.cacheable_fingerprint).toBe(plain.runtimeConfig.prompt_cache_profile.cacheable_fingerprint);
    expect(profile.context_message_ids).toEqual(['recent_runtime_context', 'stage_brief']);
    expect(rich.fingerprint).not.toBe(plain.fingerprint);
  });

  it('has one prefix for all stages of a workspace', () => {
    const [execute, evaluate] = [prepare(), prepare({ stage: 'evaluate' })].map(
      (prepared) => prepared.runtimeConfig.prompt_cache_profile,
    );
    expect(evaluate?.cacheable_fingerprint).toBe(execute?.cacheable_fingerprint);
    expect(evaluate?.volatile_fingerprint).not.toBe(execute?.volatile_fingerprint);
  });

  it('describes cache breakpoints only by hash and length', () => {
    const { system_prompt: text, prompt_cache_profile: profile } = prepare().runtimeConfig;
    expect(profile.cache_breakpoints.map((point) => point.after_section_id)).toEqual([
      'response_delivery_policy',
      'workspace_policy',
      'stage_policy',
    ]);
    for (const point of profile.cache_breakpoints) {
      expect(point.prefix_fingerprint).toBe(sha256Hex(text.slice(0, point.offset)));
    }
    expect(profile.full_system_prompt_fingerprint).toBe(sha256Hex(text));
    expect(JSON.stringify(profile)).not.toContain('You keep the notes');
  });

  describe('the three cases of MCP', () => {
    const policy = (plan: Parameters<typeof planOf>[0]): string =>
      prepare({ plan: planOf(plan) }).runtimeConfig.prompt_sections.find(
        (section) => section.id === 'capability_policy',
      )?.content ?? '';

    test('explicit: lists the tools', () => {
      const text = policy({ resolved_mcp_servers: SERVERS.slice(0, 1), resolved_mcp_tool_refs: [REF] });
      expect(text).toContain('allowed by name: mcp__a__search.');
      expect(text).not.toContain('found when the run starts');
    });

    test('discovery: lists connected servers without references', () => {
      const text = policy({ resolved_mcp_servers: SERVERS });
      expect(text).toContain('a, b');
      expect(text).toContain('found when the run starts');
      expect(text).not.toContain('No MCP server');
    });

    test('names tools as the model is offered them, without those that are withheld', () => {
      const harness = { ...HARNESS, nativeToolNames: { glob: 'find', list: 'ls' } };
      const plan = planOf({ resolved_mcp_servers: SERVERS, extensions: { gated_tools: ['bash', 'b.*', 'list'] } });
      const { runtimeConfig: config, hostRequest } = prepare({ plan, harness });
      expect(config.system_prompt).toContain(
        'Tools that look: read, grep, find, todoread. Tools that change: edit, write.',
      );
      expect(config.system_prompt).toContain('These tools are gated: bash, mcp__b__*, ls.');
      expect(hostRequest.tools).toMatchObject({ glob: true, list: true });
    });

    test('mixed: lists named tools and discovered servers', () => {
      const text = policy({ resolved_mcp_servers: SERVERS, resolved_mcp_tool_refs: [REF] });
      expect(text).toContain('allowed by name: mcp__a__search.');
      expect(text).toMatch(/found when the run starts: b\./);
    });

    test('none: says that there are none', () => {
      expect(policy({})).toContain('No MCP server is connected');
    });
  });

  it('replaces the built-in instructions of a stage with those of the workspace', () => {
    const extensions = {
      pipeline: {
        stages: ['execute', 'evaluate'] as const,
        max_iterations: 3,
        instructions: { evaluate: 'Run `make check` and judge by it.' },
      },
    };
    const text = (stage: 'execute' | 'evaluate'): string =>
      prepare({ plan: planOf({ extensions }), stage }).runtimeConfig.prompt_layers.at(-1)?.content ?? '';
    expect(text('evaluate')).toContain('make check');
    expect(text('evaluate')).toContain('"outcome"');
    expect(text('evaluate')).not.toContain('acceptance criterion');
    expect(text('evaluate')).toMatch(/^Reins stage: evaluate\n\nRun `make check`/);
    expect(text('execute')).toMatch(/^Reins stage: execute\n\nYou are in the execute stage/);
  });

  it('includes the results of earlier stages in chronological order', () => {
    const { hostRequest } = prepare({
      iteration: 2,
      history: {
        reflection: 'Check the dates first.',
        verdict: { outcome: 'fail', score: 0.5, reasons: ['no date'] },
        execution: 'Sorted.',
        brief: 'Sort the notes.',
      },
    });
    expect(hostRequest.context_messages).toEqual([
      'The brief of this run (from its interview stage):\nSort the notes.',
      'What the last execute stage says that it did:\nSorted.',
      'How the last evaluation judged it:\nOutcome: fail (score 0.5)\n- no date',
      'What the reflection asks of the next attempt:\nCheck the dates first.',
    ]);
  });

  test('what other conversations did with tools comes by reference, within its budget', () => {
    const toolResults = [{ callId: 'c1', toolId: 'notes.read', status: 'completed' as const, bytes: 12, seq: 3 }];
    const ended = { stage: 'execute' as const, runtimeId: 'pi' };
    const handoff = {
      ...{ toolResults, omittedResults: 4, openSteps: ['Paint\nit'], goal: 'Paint the\nhouse' },
      ...{ decisions: ['Blue, because it is calm'], openQuestions: ['Which size?'] },
      ...{ filesChanged: [{ path: 'plan.md', change: 'added' as const }], omittedFiles: 2 },
    };
    const { hostRequest } = prepare({ history: { handoffs: [{ ...ended, handoff }] } });
    expect(hostRequest.context_messages.join('\n')).toContain(
      [
        'What earlier stages, in other conversations, decided, changed, did with tools and left open:',
        'Stage execute (pi):',
        '- goal: Paint the house',
        '- decided: Blue, because it is calm',
        '- added plan.md',
        '- 2 more changed files',
        '- 4 older calls',
        '- called notes.read: completed, 12 bytes (call c1, signal 3)',
        '- open question: Which size?',
        '- open step: Paint it',
      ].join('\n'),
    );
    const many = Array.from({ length: 1_000 }, () => ({ ...ended, handoff }));
    const { hostRequest: cut, warnings } = prepare({ history: { handoffs: many } });
    expect(cut.context_messages.join('\n').length).toBeLessThan(7_000);
    expect(warnings).toMatchObject([{ code: 'context_truncated', path: 'history.handoffs' }]);
  });

  it('keeps the results of earlier stages within a budget', () => {
    const { hostRequest, warnings } = prepare({ history: { execution: 'Did a step.\n'.repeat(5000) } });
    expect(hostRequest.context_messages[0]?.length).toBeLessThan(16_100);
    expect(warnings).toMatchObject([{ code: 'context_truncated', path: 'history.execution' }]);
  });

  const section = fc.record({
    id: fc.stringMatching(/^[a-z]{1,6}$/),
    channel: fc.constantFrom('system_prompt' as const, 'context_message' as const, 'resume_context' as const),
    apply_at: fc.constantFrom('runtime_config' as const, 'harness_adapter' as const),
    precedence: fc.constantFrom(...PRECEDENCES),
    priority: fc.integer({ min: 0, max: 900 }),
    volatility: fc.constantFrom(...VOLATILITIES),
    content: fc.string(),
  });

  test('property: the order is independent of the input order, and volatility only increases', () => {
    fc.assert(
      fc.property(fc.uniqueArray(section, { selector: (item) => item.id }), (sections: readonly PromptSection[]) => {
        const ordered = orderSections(sections);
        expect(orderSections([...sections].reverse())).toEqual(ordered);
        const ranks = ordered.map((item) => VOLATILITIES.indexOf(item.volatility));
        expect(ranks).toEqual([...ranks].sort((a, b) => a - b));
        expect(ordered.every((item) => item.content.trim() === item.content && item.content !== '')).toBe(true);
      }),
    );
  });

  test('property: every section is in exactly one channel', () => {
    fc.assert(
      fc.property(fc.array(section), (sections) => {
        const system = sections.filter((item) => item.channel === 'system_prompt');
        const messages = sections.filter((item) => item.channel !== 'system_prompt');
        const prompt = projectPrompt(projectSystemPrompt(system), messages);
        expect(Object.values(prompt.channelContents).flat()).toHaveLength(prompt.sections.length);
        expect(prompt.cacheProfile.sections).toHaveLength(prompt.sections.length);
      }),
    );
  });
});
