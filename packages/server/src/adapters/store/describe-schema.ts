import type { Sql } from './sql.ts'

interface Column {
  readonly table: string
  readonly definition: string
}

interface Addition {
  readonly table: string
  readonly statement: string
}

// Selects the service's own tables, except the table of migrations.
const OURS = `n.nspname = 'public' AND c.relkind = 'r' AND c.relname <> 'schema_migrations'`

const COLUMNS = `SELECT c.relname AS table,
    quote_ident(a.attname) || ' ' || format_type(a.atttypid, a.atttypmod)
      || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
      || COALESCE(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') AS definition
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE ${OURS} ORDER BY c.relname, a.attnum`

// NOT NULL is left out here, because the columns contain it. Newer servers list it as a constraint as well.
const CONSTRAINTS = `SELECT c.relname AS table,
    'ALTER TABLE ' || quote_ident(c.relname) || ' ADD CONSTRAINT ' || quote_ident(k.conname) || ' '
      || pg_get_constraintdef(k.oid) || ';' AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_constraint k ON k.conrelid = c.oid
  WHERE ${OURS} AND k.contype IN ('p', 'u', 'c', 'f')
  ORDER BY c.relname, array_position(ARRAY['p', 'u', 'c', 'f'], k.contype::text), k.conname`

const INDEXES = `SELECT c.relname AS table, pg_get_indexdef(i.indexrelid) || ';' AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_index i ON i.indrelid = c.oid
    JOIN pg_class x ON x.oid = i.indexrelid
  WHERE ${OURS} AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)
  ORDER BY c.relname, x.relname`

// Columns whose values the database must not copy into its statistics.
const STATISTICS = `SELECT c.relname AS table,
    'ALTER TABLE ' || quote_ident(c.relname) || ' ALTER COLUMN ' || quote_ident(a.attname)
      || ' SET STATISTICS ' || a.attstattarget || ';' AS statement
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  WHERE ${OURS} AND a.attstattarget >= 0 ORDER BY c.relname, a.attnum`

/**
 * Describes the schema as SQL, with tables sorted by name. Databases with the same migrations have the same text.
 * Reviewers compare the text to see the changes that a migration makes.
 */
export async function describeSchema(sql: Sql): Promise<string> {
  const columns = await sql.query<Column>(COLUMNS, [])
  const additions = [
    ...(await sql.query<Addition>(CONSTRAINTS, [])),
    ...(await sql.query<Addition>(INDEXES, [])),
    ...(await sql.query<Addition>(STATISTICS, [])),
  ]
  const tables = [...new Set(columns.map(({ table }) => table))]
  const blocks = tables.map((table) => {
    const own = columns.filter((column) => column.table === table)
    const lines = own.map(({ definition }) => `  ${definition}`).join(',\n')
    const added = additions.filter((one) => one.table === table)
    return [
      `CREATE TABLE ${table} (\n${lines}\n);`,
      ...added.map(({ statement }) => statement),
    ].join('\n')
  })
  return `${blocks.join('\n\n')}\n`
}
