import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { prepareStage } from '../prepare/prepare-stage.ts';
import { problemsOf } from '../testing/expect-problem.ts';
import { inputOf } from '../testing/inputs.ts';
import { type Attachment, MAX_EXTRACTED_CHARS, MAX_INLINE_IMAGE_BYTES, normalizeAttachments } from './attachments.ts';
import { decodeHostRequest } from './decode.ts';
import { userPromptText } from './user-prompt.ts';

const attachment = (name: string, mime_type: string, extra: Partial<Attachment> = {}) => ({
  id: name,
  name,
  mime_type,
  size_bytes: 10,
  workspace_path: `attachments/${name}`,
  ...extra,
});

describe('attachments', () => {
  it('derives the kind from the media type', () => {
    const kinds = normalizeAttachments([
      attachment('a.png', 'image/png'),
      attachment('b', 'inode/directory'),
      attachment('c.pdf', 'application/pdf'),
    ]).map((item) => item.kind);
    expect(kinds).toEqual(['image', 'folder', 'file']);
  });

  test('sends images, documents with their text, and other files by path; rejects a path outside the workspace', () => {
    const attachments = normalizeAttachments([
      attachment('photo.png', 'image/png'),
      attachment('huge.png', 'image/png', { size_bytes: MAX_INLINE_IMAGE_BYTES + 1 }),
      attachment('notes.docx', 'application/msword', { extracted_text: 'Text of the notes.' }),
      attachment('data.bin', 'application/octet-stream'),
      attachment('src', 'inode/directory'),
    ]);
    expect(userPromptText({ instruction: 'Look', context_messages: [], attachments }, { images: true })).toBe(
      [
        'Look',
        'Attached document: notes.docx (application/msword, attachments/notes.docx)\nText of the notes.',
        'Attached images:\n- photo.png (image/png): attachments/photo.png',
        'Attached folders (their contents are not shown here; read them in the workspace):\n- src (inode/directory): attachments/src',
        'Other attachments, at these paths of the workspace:\n- huge.png (image/png): attachments/huge.png\n- data.bin (application/octet-stream): attachments/data.bin',
      ].join('\n\n'),
    );
    const [problem] = problemsOf(() =>
      normalizeAttachments([attachment('x', 'text/plain', { workspace_path: '../x' })]),
    );
    expect(problem?.message).toContain('resolves outside workspace boundary');
  });

  it('truncates a long extracted text and adds a note', () => {
    const attachments = normalizeAttachments([
      attachment('big.txt', 'text/plain', { extracted_text: 'x'.repeat(MAX_EXTRACTED_CHARS + 5) }),
    ]);
    const text = userPromptText({ instruction: '', context_messages: [], attachments }, { images: false });
    expect(text).toContain(`(cut after ${MAX_EXTRACTED_CHARS} characters`);
    expect(text.length).toBeLessThan(MAX_EXTRACTED_CHARS + 300);
  });

  it('reports every incomplete attachment', () => {
    const problems = problemsOf(() => normalizeAttachments([attachment('', 'text/plain'), attachment('b', '')]));
    expect(problems.map((problem) => problem.path)).toEqual(['attachments[0]', 'attachments[1]']);
    expect(problems[0]?.message).toBe('attachments entries must include id, name, mime_type, and workspace_path');
  });

  it('states that there are no attachments, in the legacy wording', () => {
    expect(
      userPromptText({ instruction: 'List the files', context_messages: [], attachments: [] }, { images: true }),
    ).toBe('List the files\n\nAttachments: none.\nImage inputs: none.');
  });

  test('contexts are a separate section after the instruction', () => {
    const text = userPromptText(
      { instruction: 'Go', context_messages: ['one', 'two'], attachments: [] },
      { images: true },
    );
    expect(text).toContain(
      'Go\n\nRuntime context:\n\n[Runtime Context 1]\none\n[/Runtime Context 1]\n\n[Runtime Context 2]\ntwo\n[/Runtime Context 2]',
    );
  });
});

describe('decoding a host request', () => {
  const sent: Record<string, unknown> = JSON.parse(JSON.stringify(prepareStage(inputOf()).hostRequest));
  const pathsOf = (value: unknown): readonly (string | undefined)[] =>
    problemsOf(() => decodeHostRequest(value)).map((problem) => problem.path);

  it('returns a prepared request unchanged', () => {
    expect(decodeHostRequest(sent)).toEqual(sent);
  });

  test.each([
    'workspace_id',
    'workspace_dir',
    'session_id',
    'input_id',
    'instruction',
    'stage',
    'workspace_config_checksum',
  ])('requires %s', (field) => {
    expect(pathsOf({ ...sent, [field]: undefined })).toEqual([field]);
    expect(pathsOf({ ...sent, [field]: ' ' })).toEqual([field]);
  });

  it('reports all problems in one error', () => {
    expect(
      pathsOf({
        ...sent,
        session_id: 5,
        timeout_seconds: 1.5,
        model_client: {},
        mcp_tool_refs: [{ tool_id: 'a.b', server_id: 'a' }],
        browser_space: 'mine',
        system_prompt: 7,
      }),
    ).toEqual([
      'session_id',
      'timeout_seconds',
      'model_client.model_proxy_provider',
      'mcp_tool_refs[0].tool_name',
      'system_prompt',
      'browser_space',
    ]);
  });

  it('allows an empty system prompt, and an empty instruction with attachments', () => {
    expect(decodeHostRequest({ ...sent, system_prompt: null }).system_prompt).toBe('');
    const attachments = [attachment('a', 'text/plain')];
    expect(decodeHostRequest({ ...sent, instruction: '', attachments }).instruction).toBe('');
  });

  test('property: any value is decoded or rejected with host_request_invalid', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom(...Object.keys(sent)), (value, field) => {
        for (const candidate of [value, { ...sent, [field]: value }]) {
          try {
            expect(decodeHostRequest(candidate)).toHaveProperty('stage');
          } catch (error) {
            expect(error).toHaveProperty('code', 'host_request_invalid');
          }
        }
      }),
    );
  });
});
