import { installedHermes, installedOpencode } from '@reins/harness/conformance';
import { describeRuntimes } from './testing/runtime-cases.ts';

await installedHermes();
await describeRuntimes(
  [
    { runtimeId: 'opencode', writeTool: 'write' },
    { runtimeId: 'hermes', writeTool: 'write_file' },
  ],
  await installedOpencode(),
);
