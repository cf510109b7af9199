/** All that a module gets of ours that stands for a script. It is loaded before authored code, for nothing of ours can be loaded later. */
export { exportsOf } from './commonjs.ts';
