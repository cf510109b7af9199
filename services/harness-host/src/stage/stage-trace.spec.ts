import { describe, expect, test } from '@jest/globals';
import type { BusMessage } from '@reins/bus';
import { ReinsError, type RuntimeStageRequested } from '@reins/contracts';
import type { HarnessRun } from '@reins/harness';
import type { EndedSpan, Telemetry } from '@reins/service-kit';
import { Redactor } from '../secrets/redactor.ts';
import type { StageAnswer } from './answers.ts';
import { StageTrace } from './stage-trace.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const TRACESTATE = 'vendor=1,other=2';
const SECRET = 'sk-canary-of-a-secret';
const EVENT = {
  requestId: 'r1',
  sessionId: 's1',
  agentId: 'main',
  workspaceId: 'w1',
  effectId: 'e1',
  stage: 'execute',
  runtimeId: 'pi',
  attempt: 2,
} as RuntimeStageRequested;
const RUN = { providerId: 'openai', modelId: 'gpt', prompt: `say ${SECRET}` } as HarnessRun;
const COMPLETED = {
  type: 'runtime.stage.completed',
  output: 'the output',
  usage: { inputTokens: 10, cachedInputTokens: 4, outputTokens: 2, model: 'gpt-1' },
} as unknown as StageAnswer;

function newTrace(options: { content?: boolean; traceparent?: string; on?: boolean } = {}) {
  const { content = false, traceparent = TRACEPARENT, on = true } = options;
  const spans: EndedSpan[] = [];
  const telemetry: Telemetry = {
    on,
    content,
    samples: () => true,
    span: (span) => void spans.push(span),
    stop: async () => {},
  };
  const message = { event: { traceparent: traceparent || undefined, tracestate: TRACESTATE } } as unknown as BusMessage;
  const trace = new StageTrace(telemetry, EVENT, message);
  trace.prepared(RUN, new Redactor([SECRET]));
  return { spans, trace };
}

function callTool(trace: StageTrace, result: object = { output: 'done' }): void {
  trace.signal({ adapter: 'pi', phase: 'agent.tool.start', toolId: 'bash', callId: 'c1', args: { command: SECRET } });
  trace.signal({ adapter: 'pi', phase: 'agent.tool.result', toolId: 'bash', callId: 'c1', ...result });
}

describe('StageTrace', () => {
  test('creates a span of the agent with spans of its tools, without content', () => {
    const { spans, trace } = newTrace();
    callTool(trace);
    trace.answered(COMPLETED);
    const [tool, stage] = spans;
    expect([tool?.name, stage?.name]).toEqual(['execute_tool bash', 'invoke_agent main']);
    expect(stage?.parentId).toBe('b7ad6b7169203331');
    expect(tool?.parentId).toBe(stage?.context.spanId);
    expect([stage, tool].map((span) => span?.context.traceState?.serialize())).toEqual([TRACESTATE, TRACESTATE]);
    expect(trace.headers).toEqual({
      traceparent: `00-${stage?.context.traceId}-${stage?.context.spanId}-01`,
      tracestate: TRACESTATE,
    });
    expect(stage?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt',
      'gen_ai.response.model': 'gpt-1',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.output_tokens': 2,
      'reins.attempt': 2,
    });
    for (const content of [SECRET, 'the output', 'done']) expect(JSON.stringify(spans)).not.toContain(content);
  });

  test('creates a span of each model call, next to those of tools', () => {
    const { spans, trace } = newTrace();
    const call = { provider: 'openai', model: 'gpt', usage: 'reported', durationMs: 5, status: 200 } as const;
    const tokens = { inputTokens: 9, cachedInputTokens: 4, outputTokens: 2, costUsd: 0.5 };
    const at = { operation: 'chat', from: 1, to: 6 } as const;
    trace.modelCall({ ...at, call: { ...call, ...tokens }, cacheWriteTokens: 1 });
    trace.modelCall({ ...at, call: { ...call, usage: 'unknown' }, error: '429' });
    trace.answered(COMPLETED);
    const [answered, failed, stage] = spans;
    expect(answered).toMatchObject({
      name: 'chat gpt',
      kind: 'client',
      parentId: stage?.context.spanId,
      from: 1,
      to: 6,
    });
    expect(answered?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'gpt',
      'gen_ai.usage.input_tokens': 9,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 4,
      'gen_ai.usage.cache_creation.input_tokens': 1,
    });
    expect(failed?.error).toBe('429');
  });

  test('includes content without secrets when the operator enabled it', () => {
    const { spans, trace } = newTrace({ content: true });
    callTool(trace);
    trace.answered(COMPLETED);
    const all = JSON.stringify(spans);
    expect(spans[0]?.attributes['gen_ai.tool.call.result']).toBe('"done"');
    expect(spans[1]?.attributes['gen_ai.output.messages']).toBe(
      '[{"role":"assistant","parts":[{"type":"text","content":"the output"}]}]',
    );
    expect(all).toContain('gen_ai.input.messages');
    expect(all).not.toContain(SECRET);
  });

  test('records failures by code only, including tools without a result', () => {
    const { spans, trace } = newTrace();
    callTool(trace, { error: 'no such file' });
    trace.signal({ adapter: 'pi', phase: 'agent.tool.start', toolId: `read ${SECRET}`, callId: 'c2' });
    trace.failed(new ReinsError({ code: 'stage_claimed', message: 'lost' }));
    expect(spans.map(({ name, error }) => [name, error])).toEqual([
      ['execute_tool bash', 'tool_failed'],
      [expect.stringMatching(/^execute_tool read (?!sk-canary)/), 'tool_failed'],
      ['invoke_agent main', 'stage_claimed'],
    ]);
  });

  test('creates no span without a trace context, and forwards the context when telemetry is off', () => {
    const untraced = newTrace({ traceparent: '' });
    callTool(untraced.trace);
    untraced.trace.answered(COMPLETED);
    expect([untraced.spans, untraced.trace.headers]).toEqual([[], undefined]);
    const off = newTrace({ on: false });
    off.trace.answered(COMPLETED);
    expect([off.spans, off.trace.headers]).toEqual([[], { traceparent: TRACEPARENT, tracestate: TRACESTATE }]);
  });
});
