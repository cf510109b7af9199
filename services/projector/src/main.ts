import { runService } from '@reins/service-kit';
import { projector } from './index.ts';

await runService(projector);
