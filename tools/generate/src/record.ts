/**
 * `npm run release:contract`: keeps the contract as it is released now. From then on `npm test` refuses a change that would break those who
 * have it.
 */
import { execFileSync } from 'node:child_process';
import { BUF, PROTO, RELEASED } from './contract-files.ts';

execFileSync(BUF, ['build', '--exclude-source-info', '-o', RELEASED], { cwd: PROTO, stdio: 'inherit' });
console.log(`written: ${RELEASED}`);
