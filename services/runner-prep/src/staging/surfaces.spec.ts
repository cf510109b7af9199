import { describe, expect, test } from '@jest/globals';
import type { ReinsError } from '@reins/contracts';
import { SESSION_KINDS } from '@reins/runtime-config';
import { Settings } from '@reins/service-kit';
import { harnessCapabilities } from '../harness-capabilities.ts';
import { installationOf } from '../installation.ts';
import { desktopOf, stageBrowserTools, stageRuntimeTools } from './surfaces.ts';

const settings = (change: (settings: Settings) => void = () => {}): Settings => {
  const made = new Settings();
  change(made);
  return made;
};
const CAN = harnessCapabilities(['model', 'browserTools', 'runtimeTools']);
const CANNOT = harnessCapabilities(['model']);
const DESKTOP = { url: 'http://127.0.0.1:1', token: 't' };

describe('capability surfaces', () => {
  test('the browser requires activation, an address and a token', () => {
    const full = { browser: 'on', url: ' http://127.0.0.1:1// ', token: 't' } as const;
    expect(desktopOf({ desktop: full })).toEqual(DESKTOP);
    for (const missing of [{ browser: 'off' } as const, { url: ' ' }, { token: '' }])
      expect(desktopOf({ desktop: { ...full, ...missing } })).toBeUndefined();
  });

  test('offers all browser tools or none, by session kind and runtime', () => {
    const staged = SESSION_KINDS.filter((kind) => stageBrowserTools(CAN, kind, DESKTOP) !== undefined);
    expect(staged).toEqual(['workspace_session', 'subagent']);
    expect(stageBrowserTools(CAN, 'workspace_session', DESKTOP)?.toolIds).toHaveLength(13);
    expect(stageBrowserTools(CANNOT, 'workspace_session', DESKTOP)).toBeUndefined();
    expect(stageBrowserTools(CAN, 'workspace_session', undefined)).toBeUndefined();
  });

  test('offers runtime tools when the installation serves them', () => {
    expect(stageRuntimeTools(CAN, 'http://127.0.0.1:2')).toHaveLength(18);
    expect(stageRuntimeTools(CAN, undefined)).toEqual([]);
    expect(stageRuntimeTools(CANNOT, 'http://127.0.0.1:2')).toEqual([]);
  });

  test('derives the stage timeout from the settings', () => {
    const of = (ms: number) => installationOf(settings((made) => Object.assign(made.limits, { stageRunForMs: ms })));
    expect([45_000, 600_000, 1_500].map((ms) => of(ms).timeoutSeconds)).toEqual([45, 600, 2]);
  });

  test('rejects an unknown context or an invalid budget, with its path', () => {
    const wrong = { session_resum: 5, scratchpad: -1, recent_runtime: 100 };
    const start = () => installationOf(settings((made) => Object.assign(made.prepare, { contextTokens: wrong })));
    expect(start).toThrow('unknown context session_resum');
    try {
      start();
    } catch (error) {
      expect((error as ReinsError).problems.map(({ path }) => path)).toEqual([
        'prepare.contextTokens.session_resum',
        'prepare.contextTokens.scratchpad',
      ]);
    }
  });

  test('the prompt lists the tools that the runtime offers', () => {
    expect(harnessCapabilities(['model', 'tool:read', 'tool:list']).builtinTools).toEqual(['read', 'list']);
    expect(harnessCapabilities(['model']).builtinTools).toBeUndefined();
  });

  test('a runtime with access to the files of a workspace has its commands', () => {
    expect(harnessCapabilities(['model', 'mcp']).commands).toBe(false);
    expect(harnessCapabilities(['editsFiles']).commands).toBe(true);
  });

  test('a runtime with access to the files of a workspace, or to the tool gateway, has its skills', () => {
    expect(harnessCapabilities(['model']).skills).toBe(false);
    expect(harnessCapabilities(['editsFiles']).skills).toBe(true);
    expect(harnessCapabilities(['mcp']).skills).toBe(true);
  });
});
