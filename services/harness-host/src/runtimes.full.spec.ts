import { installedOpencode } from '@reins/harness/conformance';
import { describeRuntimes } from './testing/runtime-cases.ts';

await describeRuntimes([{ runtimeId: 'opencode', writeTool: 'write' }], await installedOpencode());
