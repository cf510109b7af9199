import { packCli } from './pack-cli.mjs';

/** `npm run pack:cli [-- <folder>]`: packs the command line into a tarball for this platform. Default: `.reins/pack`. */
const [to = '.reins/pack'] = process.argv.slice(2);
// Standard output has only the path.
console.log(packCli('.', to, (line) => console.error(`pack: ${line}`)));
