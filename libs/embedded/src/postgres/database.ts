import pg from 'pg';

/** Returns the URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Creates the database if it does not exist (from `template`, if given). Resolves to its URL. */
export async function ensureDatabase(serverUrl: string, name: string, template?: string): Promise<string> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    const known = await client.query('select from pg_database where datname = $1', [name]);
    const from = template === undefined ? '' : ` template ${pg.escapeIdentifier(template)}`;
    if (known.rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(name)}${from}`);
  } finally {
    await client.end();
  }
  return databaseUrl(serverUrl, name);
}
