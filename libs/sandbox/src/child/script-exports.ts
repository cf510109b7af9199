/**
 * The only module of ours that the wrapper of a script imports. Loaded before authored code, because our modules cannot
 * be loaded later.
 */
export { exportsOf } from './commonjs.ts';
