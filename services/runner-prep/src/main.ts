import { runService } from '@reins/service-kit';
import { runnerPrep } from './index.ts';

await runService(runnerPrep);
