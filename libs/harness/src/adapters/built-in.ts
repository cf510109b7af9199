import type { HarnessAdapter } from '../contract.ts';
import { claudeCodeAdapter } from './claude_code/adapter.ts';
import { codexAdapter } from './codex/adapter.ts';
import { echoAdapter } from './echo/adapter.ts';
import { hermesAdapter } from './hermes/adapter.ts';
import { litellmAdapter } from './litellm/adapter.ts';
import { openaiChatAdapter } from './openai_chat/adapter.ts';
import { opencodeAdapter } from './opencode/adapter.ts';
import { piAdapter } from './pi/adapter.ts';

/** Every adapter that ships with Reins. */
export const BUILT_IN_ADAPTERS: readonly HarnessAdapter[] = [
  echoAdapter,
  openaiChatAdapter,
  piAdapter,
  codexAdapter,
  opencodeAdapter,
  litellmAdapter,
  hermesAdapter,
  claudeCodeAdapter,
];
