import { runService } from '@reins/service-kit';
import { narrator } from './index.ts';

await runService(narrator);
