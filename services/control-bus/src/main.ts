import { runService } from '@reins/service-kit';
import { controlBus } from './index.ts';

await runService(controlBus);
