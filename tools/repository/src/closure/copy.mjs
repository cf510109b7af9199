import { copyClosure } from './copy-closure.mjs';

/** `node copy.mjs <folder> <to>`: copies a package and its production closure, for an image. */
const [folder, to] = process.argv.slice(2);
copyClosure('.', folder, to);
