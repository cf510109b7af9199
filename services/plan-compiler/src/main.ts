import { runService } from '@reins/service-kit';
import { planCompiler } from './index.ts';

await runService(planCompiler);
