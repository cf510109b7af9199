import { type Kysely, sql } from 'kysely';

/** Creates the records of memory, with full-text and trigram search, and the position of their projection. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}

const STATEMENTS = [
  'create extension if not exists pg_trgm with schema public',
  'create extension if not exists unaccent with schema public',
  // The dictionary is named, so that the result depends on the text only.
  `create function words(value text) returns tsvector language sql immutable parallel safe
    set search_path = pg_catalog, public
    as $$ select to_tsvector('pg_catalog.english', public.unaccent('public.unaccent', value)) $$`,
  `create table records (
    id text primary key,
    namespace text not null,
    kind text not null,
    status text not null check (status in ('active', 'superseded', 'forgotten')),
    text text,
    folded text,
    data jsonb,
    source jsonb,
    subject text,
    confidence double precision,
    created_at timestamptz not null,
    valid_from timestamptz,
    valid_until timestamptz,
    supersedes text,
    superseded_by text,
    sensitivity text,
    forgotten_at timestamptz,
    reason text,
    seq bigint not null,
    words tsvector generated always as (words(coalesce(text, '') || ' ' || coalesce(subject, ''))) stored
  )`,
  'create index records_by_namespace on records (namespace, status, seq desc)',
  'create index records_by_seq on records (seq desc)',
  'create index records_by_supersedes on records (supersedes) where supersedes is not null',
  `create index records_by_words on records using gin (words) where status <> 'forgotten'`,
  `create index records_by_trigram on records using gin (folded public.gin_trgm_ops) where status = 'active'`,
  'create table namespaces (namespace text primary key, seq bigint not null)',
  'create table position (one boolean primary key default true check (one), created text not null, seq bigint not null)',
  'create table erasures (seq bigint primary key)',
];
