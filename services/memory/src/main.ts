import { runMain } from '@reins/service-kit/main';

await runMain(async () => (await import('./index.ts')).memory);
