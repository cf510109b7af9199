import { describe, expect, test } from '@jest/globals';
import type { JsonValue, Problem } from '@reins/contracts';
import fc from 'fast-check';
import { promptOf, readMessages } from './messages.ts';

function read(messages: JsonValue): {
  readonly messages: ReturnType<typeof readMessages>;
  readonly problems: Problem[];
} {
  const problems: Problem[] = [];
  return { messages: readMessages(messages, 'messages', problems), problems };
}

const user = (content: JsonValue): JsonValue => ({ role: 'user', content });
const assistant = (content: JsonValue): JsonValue => ({ role: 'assistant', content });

describe('messages', () => {
  test('of any shape are read, or have problems with a path', () => {
    const part = fc.oneof(
      fc.jsonValue(),
      fc.record({ type: fc.constantFrom('text', 'image_url', 'file', 'input_audio'), text: fc.jsonValue() }),
    );
    const message = fc.record({
      role: fc.constantFrom('user', 'assistant', 'system', 'tool', 'nobody', 7),
      content: fc.oneof(fc.jsonValue(), fc.array(part)),
    });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.array(message)), (given) => {
        const { messages, problems } = read(given as JsonValue);
        expect(problems.every(({ path }) => path?.startsWith('messages'))).toBe(true);
        if (problems.length === 0) expect(messages.length).toBe((given as unknown[]).length);
      }),
    );
  });

  test('report all problems at once', () => {
    const { problems } = read([7, { role: 'nobody' }, user([{ type: 'text' }, { type: 'input_audio' }])]);
    expect(problems.map(({ path }) => path)).toEqual([
      'messages[0]',
      'messages[1].role',
      'messages[2].content[0].text',
      'messages[2].content[1]',
    ]);
  });

  test.each([
    'http://10.0.0.1/secret.png',
    'file:///etc/passwd',
    'data:image/png,raw',
    'data:image/png;base64,',
    'data:image/png;base64,***',
    'data:../../x;base64,aGk=',
  ])('do not accept an image at %p', (url) => {
    expect(read([user([{ type: 'image_url', image_url: { url } }])]).problems).toHaveLength(1);
  });

  test('name earlier tool calls, which another system has executed', () => {
    const called = {
      ...(assistant(null) as object),
      tool_calls: [{ function: { name: 'add', arguments: '{"a":1}' } }],
    };
    const { messages } = read([user('1+1?'), called, { role: 'tool', content: '2' }, user('And?')]);
    expect(promptOf(messages, false).instruction).toContain('Assistant: (called add with {"a":1})');
  });
});

describe('a prompt', () => {
  test('says every text exactly once', () => {
    const texts = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(texts, fc.infiniteStream(fc.boolean()), (given, random) => {
        const conversation = given.map((text, index) =>
          index === given.length - 1 || random.next().value ? user(text) : assistant(text),
        );
        const { instruction } = promptOf(read(conversation).messages, false);
        expect(given.map((text) => instruction.split(text).length - 1)).toEqual(given.map(() => 1));
      }),
    );
  });

  test('of one message is the message', () => {
    expect(promptOf(read([user('hello')]).messages, false).instruction).toBe('hello');
  });

  test('of a session has only what follows the last answer', () => {
    const { messages } = read([user('one'), assistant('1'), user('two'), user('three')]);
    expect(promptOf(messages, true).instruction).toBe('two\n\nthree');
  });
});
