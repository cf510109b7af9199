import { runService } from '@reins/service-kit';
import { gateway } from './index.ts';

await runService(gateway);
