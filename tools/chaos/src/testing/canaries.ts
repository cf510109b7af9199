import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { type Database, TABLES } from '@reins/store';
import type { System } from '@reins/supervisor';
import { sql } from 'kysely';
import { Observer } from '../evidence/observer.ts';
import { connectPlain } from '../system/connect.ts';

/** Planted secrets by their place. */
export type Canaries = Readonly<Record<string, string>>;

/** A found canary and its location. */
export type Leak = string;

const decoder = new TextDecoder('latin1');

function seen(canaries: Canaries, place: string, bytes: Uint8Array | string): Leak[] {
  const text = typeof bytes === 'string' ? bytes : decoder.decode(bytes);
  return Object.entries(canaries).flatMap(([planted, canary]) =>
    formsOf(canary).some((form) => text.includes(form)) ? `${planted} in ${place}` : [],
  );
}

const known = new Map<string, readonly string[]>();

/** A secret in plain text, and as it appears in base64 of a longer text, at any offset. */
function formsOf(canary: string): readonly string[] {
  const forms = known.get(canary) ?? [canary, ...[0, 1, 2].flatMap((before) => insideBase64(canary, before))];
  known.set(canary, forms);
  return forms;
}

/** The base64 of a text after `before` bytes, without the characters that depend on its neighbours. */
function insideBase64(text: string, before: number): string[] {
  const encoded = Buffer.from(' '.repeat(before) + text).toString('base64');
  const whole = Math.floor(((before + text.length) * 8) / 6);
  const inner = encoded.slice(Math.ceil((before * 8) / 6), whole);
  return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
}

/** Searches every message of every stream, including buckets and object stores: subject, headers and data. */
export async function inStreams(canaries: Canaries, system: System): Promise<Leak[]> {
  const connection = await connectPlain(system, 'canaries');
  const observer = await Observer.connect(system);
  const found: Leak[] = [];
  try {
    const jsm = await jetstreamManager(connection);
    for await (const { config } of jsm.streams.list())
      for await (const message of observer.messages(config.name)) {
        const headers = [...(message.headers ?? [])].map(([name, values]) => `${name}: ${values.join()}`).join('\n');
        found.push(...seen(canaries, `${config.name} ${message.subject}`, `${message.subject}\n${headers}`));
        found.push(...seen(canaries, `${config.name} ${message.subject}`, message.data));
      }
  } finally {
    await Promise.all([observer.close(), connection.close()]);
  }
  return found;
}

/** Searches every row of every table. */
export async function inRows(canaries: Canaries, db: Database): Promise<Leak[]> {
  const found: Leak[] = [];
  for (const { name } of TABLES) {
    const { rows } = await sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(db);
    for (const { row } of rows) found.push(...seen(canaries, `table ${name}`, row));
  }
  return found;
}

/** Searches every file in a folder. */
export function inFiles(canaries: Canaries, folder: string): Leak[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.flatMap(({ parentPath, name }) =>
    seen(canaries, join(parentPath, name), readFileSync(join(parentPath, name))),
  );
}

/** Repeatedly searches the arguments of all processes on the machine, until it is stopped. */
export class ArgumentWatch {
  readonly #found = new Set<Leak>();
  readonly #canaries: Canaries;
  readonly #looking: Promise<void>;
  #stopped = false;

  constructor(canaries: Canaries) {
    this.#canaries = canaries;
    this.#looking = this.#look();
  }

  async stop(): Promise<Leak[]> {
    this.#stopped = true;
    await this.#looking;
    return [...this.#found];
  }

  async #look(): Promise<void> {
    while (!this.#stopped) {
      const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
      for (const pid of pids) {
        const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        for (const leak of seen(this.#canaries, 'the arguments of a process', command)) this.#found.add(leak);
      }
    }
  }
}
