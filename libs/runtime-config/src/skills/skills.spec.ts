import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { prepareStage } from '../prepare/prepare-stage.ts';
import { inputOf } from '../testing/inputs.ts';
import { parseSkill } from './parse.ts';
import { invokeSkill, skillPolicy, unusedGrants } from './policy.ts';
import { expandQuotedSkills, extractQuotedSkills, type Skill, skillBlock } from './quoted.ts';
import { selectSkills } from './select.ts';

const file = (id: string, text: string, origin: Skill['origin'] = 'workspace') => ({
  id,
  location: `${origin === 'embedded' ? 'embedded' : 'skills'}/${id}/SKILL.md`,
  text,
  origin,
});
const md = (id: string, extra = '', body = 'Do it well.'): string =>
  `---\nname: ${id}\ndescription: What ${id} is for\n${extra}---\n\n${body}\n`;
const skill = (id: string, extra = ''): Skill => {
  const parsed = parseSkill(file(id, md(id, extra)));
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.skill;
};

describe('skills', () => {
  test('skips and reports a skill without name or description or with a wrong name, and keeps the others', () => {
    const selected = selectSkills([
      file('good', md('good')),
      file('nameless', '---\ndescription: x\n---\nbody'),
      file('vague', '---\nname: vague\n---\nbody'),
      file('other', md('another')),
      file('plain', '# no frontmatter'),
      file('broken', '---\nname: [\n---\n'),
      file('..', md('..')),
    ]);
    expect(selected.skills.map((item) => item.id)).toEqual(['good']);
    expect(selected.problems.map((problem) => problem.path)).toEqual([
      'skills/../SKILL.md',
      'skills/broken/SKILL.md',
      'skills/nameless/SKILL.md',
      'skills/other/SKILL.md',
      'skills/plain/SKILL.md',
      'skills/vague/SKILL.md',
    ]);
    expect(new Set(selected.problems.map((problem) => problem.code))).toEqual(new Set(['skill_invalid']));
  });

  test('an embedded skill takes precedence over a workspace skill, and comes first', () => {
    const selected = selectSkills([
      file('b', md('b'), 'workspace'),
      file('a', md('a'), 'workspace'),
      file('b', md('b', '', 'Embedded.'), 'embedded'),
    ]);
    expect(selected.skills.map((item) => [item.id, item.origin])).toEqual([
      ['b', 'embedded'],
      ['a', 'workspace'],
    ]);
  });

  it('accepts a byte order mark and Windows line endings', () => {
    const parsed = parseSkill(file('x', `\uFEFF${md('x').replaceAll('\n', '\r\n')}`));
    expect(parsed).toMatchObject({ ok: true, skill: { id: 'x', body: 'Do it well.' } });
  });

  test.each([
    'granted_tools: [Bash, "deploy"]\n',
    'holaboss_granted_tools: bash, deploy\n',
    'holaboss-tools: [bash, deploy]\n',
    'capability_grants: [bash, deploy]\n',
    'holaboss:\n  granted-tools: [bash, deploy]\n',
    'holaboss:\n  tools: bash, deploy\n',
  ])('reads the grants of %j', (extra) => {
    expect(skill('x', extra).grants.tools).toEqual(['bash', 'deploy']);
  });

  test('expands quoted skills, reports missing ones, and separates the body', () => {
    const quote = extractQuotedSkills('/customer_lookup\n/missing_skill\n\nReview this lead.');
    expect(quote).toEqual({ ids: ['customer_lookup', 'missing_skill'], commands: [], body: 'Review this lead.' });
    const { sections } = expandQuotedSkills(quote.ids, [skill('customer_lookup')]);
    expect(sections).toEqual([
      `Quoted workspace skills:\n\n${skillBlock(skill('customer_lookup'))}`,
      'Quoted workspace skills not found in this workspace: missing_skill',
    ]);
    const block = skillBlock(skill('customer_lookup'));
    expect(block).toContain('<skill name="customer_lookup" location="skills/customer_lookup/SKILL.md">');
    expect(block).toContain('References are relative to skills/customer_lookup.');
    expect(block).not.toContain('description:');
    expect(block).not.toContain('/customer_lookup\n/');
  });

  test.each([
    ['without a blank line', '/a\n/b\nReview this lead.', ['a', 'b'], 'Review this lead.'],
    ['with one', '/a\n/b\n\nReview this lead.', ['a', 'b'], 'Review this lead.'],
    ['with nothing after it', '/a\n', ['a'], ''],
    ['with Windows line endings and a duplicate', '/a\r\n /A \r\n/a\r\n\r\nGo', ['a', 'A'], 'Go'],
    ['that is a path', '/usr/bin is missing', [], '/usr/bin is missing'],
    ['that comes later', 'Look at\n/a', [], 'Look at\n/a'],
  ])('reads a slash block %s', (_name, text, ids, body) => {
    expect(extractQuotedSkills(text)).toEqual({ ids, commands: [], body });
  });

  test.each([
    ['before its text', '/ok\nbody', [], [''], 'body'],
    ['alone', '/ok\n', [], [''], ''],
    ['among skills', '/a\n/ok\n/b\n\nGo', ['a', 'b'], [''], 'Go'],
    ['with words after it', '/ok now, please\n/a', ['a'], ['now, please'], ''],
    ['twice', '/ok one\n/ok two', [], ['one', 'two'], ''],
    ['but no skill, with words after it', '/a now\n/ok', [], [], '/a now\n/ok'],
    ['but not inside a text', 'Go\n/ok', [], [], 'Go\n/ok'],
  ])('takes a command %s', (_name, text, ids, words, body) => {
    const command = { id: 'ok', location: 'commands/ok.md', text: 'Do it.' };
    const commands = words.map((each) => ({ command, words: each }));
    expect(extractQuotedSkills(text, (id) => (id === 'ok' ? command : undefined))).toEqual({ ids, commands, body });
  });

  it('looks up by id, then by name, ignoring case, and expands each skill once', () => {
    const named = { ...skill('x'), name: 'Sales' };
    expect(expandQuotedSkills(['X', 'sales'], [named])).toMatchObject({ found: [named], missing: [] });
  });

  test('property: extraction reverses quoting', () => {
    const id = fc.stringMatching(/^[A-Za-z0-9_-]{1,10}$/);
    const body = fc.string().map((text) => `Do: ${text}`.replace(/\r/g, '').trim());
    fc.assert(
      fc.property(fc.uniqueArray(id), body, fc.boolean(), (ids, text, blank) => {
        const quoted = [...ids.map((item) => `/${item}`), ...(blank ? [''] : []), text].join('\n');
        expect(extractQuotedSkills(quoted)).toEqual({ ids, commands: [], body: text });
      }),
    );
  });

  test('opens a gated tool when a skill that grants it is invoked', () => {
    const deploy = skill('release', 'granted_tools: [deploy, bash]\n');
    const policy = skillPolicy([deploy, skill('other')], { tools: ['deploy', 'github.*'] });
    expect(policy.tools.get('deploy')).toEqual(['release']);
    expect(policy.tools.has('bash')).toBe(false);
    expect(policy.openTools.has('deploy')).toBe(false);
    const { policy: widened, widening } = invokeSkill(policy, deploy);
    expect(widening).toEqual({
      scope: 'run',
      managed_tools: ['deploy'],
      granted_tools: ['deploy'],
      active_granted_tools: ['deploy'],
      managed_commands: [],
      granted_commands: [],
      active_granted_commands: [],
    });
    expect(widened.openTools.has('deploy')).toBe(true);
    expect(invokeSkill(widened, deploy).widening.granted_tools).toEqual([]);
  });

  test('quoting a skill opens only what it grants for the run', () => {
    const base = inputOf();
    const plan = { ...base.plan, extensions: { gated_tools: ['deploy', 'github.*'] } };
    const surfaces = { skills: [skill('release', 'granted_tools: [github.create_issue, bash]\n'), skill('other')] };
    const { hostRequest } = prepareStage({ ...base, plan, surfaces, instruction: '/release\nShip it.' });
    expect(hostRequest).toMatchObject({ gated_tools: ['deploy', 'github.*'], granted_tools: ['github.create_issue'] });
    expect(hostRequest.instruction).toContain('opened for this run with these skills: github.create_issue');
    const plain = prepareStage({ ...base, plan, surfaces, instruction: '/other\nShip it.' });
    expect(plain.hostRequest.granted_tools).toEqual([]);
  });

  it('warns about grants without effect', () => {
    const [problem, ...more] = unusedGrants([skill('x', 'granted_tools: [bash, deploy]\n')], ['deploy']);
    expect(problem).toMatchObject({ code: 'skill_gates_unlisted_tool', path: 'skills/x/SKILL.md' });
    expect(more).toEqual([]);
  });

  it('expands the quoted skills of a request, and includes their ids', () => {
    const { hostRequest, snapshot } = prepareStage(
      inputOf({
        instruction: '/sales_policy\n/nope\nReview this lead.',
        surfaces: { skills: [skill('sales_policy')] },
      }),
    );
    expect(hostRequest.quoted_skill_ids).toEqual(['sales_policy']);
    expect(hostRequest.workspace_skill_dirs).toEqual(['skills/sales_policy']);
    expect(hostRequest.instruction).toBe(
      [
        'Reins stage: execute\nReins iteration: 1',
        `Quoted workspace skills:\n\n${skillBlock(skill('sales_policy'))}`,
        'Quoted workspace skills not found in this workspace: nope',
        'Review this lead.',
      ].join('\n\n'),
    );
    expect(snapshot.raw_instruction).toBe('/sales_policy\n/nope\nReview this lead.');
  });
});
