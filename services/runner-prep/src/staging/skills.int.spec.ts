import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '@reins/contracts';
import type { HostRequest } from '@reins/runtime-config';
import { tempDir } from '@reins/testing';
import { treeFromEntries } from '@reins/workspace-tree';
import { PrepFixture } from '../testing/prep-fixture.ts';
import { SkillLibrary } from './skill-library.ts';

const skill = (name: string, body: string, more = ''): string =>
  `---\nname: ${name}\ndescription: about ${name}\n${more}---\n${body}\n`;

let prep: PrepFixture;
let folder: string;
beforeAll(async () => {
  folder = await tempDir('skills');
  await mkdir(join(folder, 'shared'));
  await writeFile(join(folder, 'shared', 'SKILL.md'), skill('shared', 'the way of the installation'));
  await writeFile(join(folder, 'shared', 'table.csv'), 'a,b\n');
  prep = await PrepFixture.start((settings) => {
    settings.prepare.skillsDir = folder;
  });
  await prep.offer('pi', ['model', 'editsFiles']);
});
afterAll(async () => {
  await prep.stop();
  await rm(folder, { recursive: true });
});

const files = {
  'skills/customer_lookup/SKILL.md': skill('customer_lookup', 'Look in customers.csv.'),
  'skills/shared/SKILL.md': skill('shared', 'the way of the workspace'),
  'skills/wrong_name/SKILL.md': skill('another', 'x'),
  'skills/empty/notes.md': 'no skill',
  'commands/deploy.md': 'Deploy it.',
};

test('merges skills of tree and installation, prefers those of the installation, and reports invalid ones', async () => {
  const { answer, request } = await prep.prepared({ tree: await prep.tree(files) });
  expect(request.workspace_skill_dirs).toEqual(['.reins/skills/shared', 'skills/customer_lookup']);
  expect(request.system_prompt).toContain('shared (.reins/skills/shared/SKILL.md): about shared');
  expect(request.system_prompt).toContain('customer_lookup (skills/customer_lookup/SKILL.md): about customer_lookup');
  expect(answer.warnings?.map(({ code, path }) => `${code} ${path}`).sort()).toEqual([
    'skill_invalid skills/empty/SKILL.md',
    'skill_invalid skills/wrong_name/SKILL.md',
  ]);
  expect(request.run_started_payload.workspace_skill_ids).toEqual(['shared', 'customer_lookup']);
});

test('adds the skills of the installation to the tree of the stage, once', async () => {
  const { answer, request } = await prep.prepared({ tree: await prep.tree(files) });
  expect(answer.tree).toBe(request.input_tree);
  const tree = await prep.openTree(String(answer.tree));
  expect(Buffer.from(await tree.read('.reins/skills/shared/table.csv')).toString()).toBe('a,b\n');
  expect(tree.manifest.has('skills/shared/SKILL.md')).toBe(true);
  expect((await prep.prepared({ tree: tree.treeId })).answer.tree).toBeUndefined();
});

test('includes quoted skills in the instruction, with or without a blank line, and reports missing ones', async () => {
  const tree = await prep.tree(files);
  for (const gap of ['\n', '\n\n']) {
    const input = { input: `/customer_lookup\n/missing_skill\n/shared${gap}Review this lead.` };
    const { request } = await prep.prepared({ tree, input });
    expect(request.instruction).toContain('<skill name="customer_lookup" location="skills/customer_lookup/SKILL.md">');
    expect(request.instruction).toContain('the way of the installation');
    expect(request.instruction).not.toContain('the way of the workspace');
    expect(request.instruction).toContain('Quoted workspace skills not found in this workspace: missing_skill');
    expect(request.instruction).toMatch(/\n\nReview this lead\.$/);
    expect(request.quoted_skill_ids).toEqual(['customer_lookup', 'shared']);
  }
});

test('replaces a command line such as /deploy by its text, for every runtime', async () => {
  await prep.offer('with_commands', ['model', 'editsFiles']);
  const asked = { tree: await prep.tree(files), input: { input: '/deploy to staging\n/customer_lookup\n\nGo.' } };
  const { request } = await prep.prepared({ ...asked, runtimeId: 'with_commands' });
  expect(request.run_started_payload.workspace_command_ids).toEqual(['deploy']);
  expect(request.quoted_skill_ids).toEqual(['customer_lookup']);
  const command =
    '<command name="deploy" location="commands/deploy.md">\nThe user adds: to staging\n\nDeploy it.\n</command>\n\nGo.';
  expect(request.instruction.endsWith(`\n\n${command}`)).toBe(true);
  expect(request.instruction).not.toContain('/deploy to');
  await prep.offer('without_commands', ['model']);
  const without = await prep.prepared({ ...asked, runtimeId: 'without_commands' });
  expect(without.request.instruction.endsWith(`\n\n${command}`)).toBe(true);
  expect(without.request.run_started_payload.workspace_command_ids).toEqual([]);
});

test('a file of more than 256 KiB is no command', async () => {
  const tree = await prep.tree({ ...files, 'commands/deploy.md': 'x'.repeat(256 * 1024 + 1) });
  const { request } = await prep.prepared({ tree, input: { input: '/deploy\n\nGo.' } });
  expect(request.run_started_payload.workspace_command_ids).toEqual([]);
  expect(request.instruction).toContain('not found in this workspace: deploy');
});

test('keeps the capabilities of a runtime whose hosts are temporarily offline', async () => {
  await prep.offer('now_and_then', ['model', 'editsFiles']);
  const asked = { tree: await prep.tree(files), runtimeId: 'now_and_then' };
  const before = await prep.prepared(asked);
  await prep.withdraw('now_and_then');
  expect((await prep.prepared(asked)).answer.fingerprint).toBe(before.answer.fingerprint);
});

test('accepts a symlink as a skill folder', async () => {
  const linked = await prep.tree({ 'kept/mail/SKILL.md': skill('mail', 'Write mail.') }, [
    { path: 'skills/mail', content: '../kept/mail', mode: 'link' },
  ]);
  const { request } = await prep.prepared({ tree: linked, input: { input: '/mail\nDo it.' } });
  expect(request.workspace_skill_dirs).toContain('skills/mail');
  expect(request.instruction).toContain('Write mail.');
});

test('reads a skill of an inventory from its declared folder', async () => {
  const library = await SkillLibrary.open(undefined);
  const tree = treeFromEntries([
    { path: 'docs/how/SKILL.md', content: skill('lookup', 'Look it up.') },
    { path: 'skills/plain/SKILL.md', content: skill('plain', 'x') },
  ]);
  const declared = [
    { name: 'lookup', path: 'docs/how' },
    { name: 'gone', path: 'nowhere' },
  ];
  const { skills, problems } = await library.of(tree, declared);
  expect(skills.map(({ id, location }) => `${id} ${location}`)).toEqual([
    'lookup docs/how/SKILL.md',
    'plain skills/plain/SKILL.md',
  ]);
  expect(problems).toMatchObject([{ code: 'skill_invalid', path: 'nowhere/SKILL.md' }]);
});

test('lists commands only for a runtime that reads the files of a workspace', async () => {
  const tree = await prep.tree(files);
  const reading = await prep.prepared({ tree });
  expect(reading.request.run_started_payload.workspace_command_ids).toEqual(['deploy']);
  expect(reading.request.system_prompt).toContain('Workspace commands: deploy.');
  await prep.offer('without_files', ['model']);
  const { request } = await prep.prepared({ tree, runtimeId: 'without_files' });
  expect(request.run_started_payload.workspace_command_ids).toEqual([]);
  expect(request.system_prompt).not.toContain('deploy');
});

test('a skill that a run has changed opens no gates', async () => {
  const granting = (tools: string): string => skill('mail', 'Write mail.', `granted_tools: [${tools}]\n`);
  const revision = await prep.tree({ 'skills/mail/SKILL.md': granting('crm.send, bash'), 'a.txt': 'a' });
  const grants = async (tree: string, context: JsonObject) => {
    const { skills } = (await prep.prepared({ tree, context })).request as Pick<HostRequest, 'skills'>;
    return skills.find(({ id }) => id === 'mail')?.granted_tools;
  };
  const otherFile = await prep.tree({ 'skills/mail/SKILL.md': granting('crm.send, bash'), 'a.txt': 'b' });
  expect(await grants(otherFile, { revision })).toEqual(['crm.send']);
  const changed = await prep.tree({ 'skills/mail/SKILL.md': granting('crm.send, crm.wipe'), 'a.txt': 'a' });
  expect(await grants(changed, { revision })).toEqual([]);
  expect(await grants(revision, {})).toEqual([]);
});
