import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { processSettings } from '@reins/service-kit/installation';

const inClone = (path: string): string => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

test('docs/cli.md names the runtimes of `npm start`, and of a folder without settings', () => {
  const page = readFileSync(inClone('docs/cli.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const { runtimeProfile: ofClone } = processSettings({ REINS_CONFIG: inClone('reins.yaml') });
  expect(ofClone).toMatchObject({ default: 'openai_chat', stages: { execute: 'pi' } });
  expect(page).toContain('runs `interview`, `evaluate` and `reflect` on `openai_chat`, and `execute` on `pi`');
  const { runtimeProfile: ofNone } = processSettings({});
  expect(ofNone).toMatchObject({ default: 'pi', stages: {} });
  expect(page).toContain('in a folder without settings runs every stage on `pi`');
});
