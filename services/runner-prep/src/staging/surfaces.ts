import { BROWSER_TOOLS, type HarnessCapabilities, RUNTIME_TOOLS, type SessionKind } from '@reins/runtime-config';
import type { Settings } from '@reins/service-kit';

/** How the desktop of the operator is reached. */
export interface Desktop {
  readonly url: string;
  readonly token: string;
}

const WITH_BROWSER: readonly SessionKind[] = ['workspace_session', 'subagent'];
const BROWSER_IDS = BROWSER_TOOLS.map(({ id }) => id);
const RUNTIME_IDS = RUNTIME_TOOLS.map(({ id }) => id);

/** The desktop, where the installation has it switched on and says both where it is and what it is asked with. */
export function desktopOf({
  desktop: { browser, url = '', token = '' },
}: Pick<Settings, 'desktop'>): Desktop | undefined {
  if (browser !== 'on' || url.trim() === '' || token.trim() === '') return undefined;
  return { url: url.trim().replace(/\/+$/, ''), token: token.trim() };
}

/** The browser tools of a run, all of them or none: the harness has a use for them, the session is of a kind that gets them, a desktop is there. */
export function stageBrowserTools(
  harness: HarnessCapabilities,
  kind: SessionKind,
  desktop: Desktop | undefined,
): { readonly toolIds: readonly string[] } | undefined {
  return harness.browserTools && WITH_BROWSER.includes(kind) && desktop ? { toolIds: BROWSER_IDS } : undefined;
}

/** The runtime tools of a run: there where the harness has a use for them and the installation serves them. Which of them a kind of session may use is the manifest's to decide. */
export function stageRuntimeTools(harness: HarnessCapabilities, runtimeApiUrl: string | undefined): readonly string[] {
  return harness.runtimeTools && runtimeApiUrl !== undefined ? RUNTIME_IDS : [];
}
