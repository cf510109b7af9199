import { installedCodex } from '@reins/harness/conformance';
import { describeRuntimes } from './testing/runtime-cases.ts';

await describeRuntimes(
  [
    { runtimeId: 'openai_chat', writeTool: 'write' },
    { runtimeId: 'pi', writeTool: 'write' },
    { runtimeId: 'codex', writeTool: 'apply_patch', provider: 'responses' },
  ],
  await installedCodex(),
);
