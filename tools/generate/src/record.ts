/**
 * `npm run release:contract` records the contract of a release. After that, `npm test` rejects changes that are
 * incompatible with it.
 */
import { execFileSync } from 'node:child_process';
import { BUF, PROTO, RELEASED } from './contract-files.ts';

execFileSync(BUF, ['build', '--exclude-source-info', '-o', RELEASED], { cwd: PROTO, stdio: 'inherit' });
console.log(`written: ${RELEASED}`);
