import { BROWSER_TOOLS, type HarnessCapabilities, RUNTIME_TOOLS, type SessionKind } from '@reins/runtime-config';
import type { Settings } from '@reins/service-kit';

/** How to reach the desktop of the operator. */
export interface Desktop {
  readonly url: string;
  readonly token: string;
}

const WITH_BROWSER: readonly SessionKind[] = ['workspace_session', 'subagent'];
const BROWSER_IDS = BROWSER_TOOLS.map(({ id }) => id);
const RUNTIME_IDS = RUNTIME_TOOLS.map(({ id }) => id);

/** The desktop, if it is enabled and has an address and a token. */
export function desktopOf({
  desktop: { browser, url = '', token = '' },
}: Pick<Settings, 'desktop'>): Desktop | undefined {
  if (browser !== 'on' || url.trim() === '' || token.trim() === '') return undefined;
  return { url: url.trim().replace(/\/+$/, ''), token: token.trim() };
}

/**
 * The browser tools of a run, all or none. The harness and the session kind must support them, and a desktop must be
 * configured.
 */
export function stageBrowserTools(
  harness: HarnessCapabilities,
  kind: SessionKind,
  desktop: Desktop | undefined,
): { readonly toolIds: readonly string[] } | undefined {
  return harness.browserTools && WITH_BROWSER.includes(kind) && desktop ? { toolIds: BROWSER_IDS } : undefined;
}

/**
 * The runtime tools of a run, if the harness supports them and the installation serves them. The capability manifest
 * decides which of them a session kind may use.
 */
export function stageRuntimeTools(harness: HarnessCapabilities, runtimeApiUrl: string | undefined): readonly string[] {
  return harness.runtimeTools && runtimeApiUrl !== undefined ? RUNTIME_IDS : [];
}
