// Writes the table of the conformance suite into docs/runtimes.md. Reads the compiled suite.
import { readFileSync, writeFileSync } from 'node:fs';
import { withTable } from '../dist/conformance/table.js';

const file = new URL('../../../docs/runtimes.md', import.meta.url);
writeFileSync(file, withTable(readFileSync(file, 'utf8')));
