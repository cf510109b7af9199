import { runService } from '@reins/service-kit';
import { harnessHost } from './index.ts';

await runService(harnessHost);
