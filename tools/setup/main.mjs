import './node-version.mjs';
import { describe, setUp } from './setup.mjs';

/** `npm run setup`: installs missing parts and lists the installed ones. */
try {
  const steps = await setUp({ log: (line) => console.error(line) });
  for (const step of steps) console.log(describe(step));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
