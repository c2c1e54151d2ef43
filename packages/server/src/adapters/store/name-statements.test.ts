import { expect, it } from 'vitest'
import { withNamedStatements } from './name-statements.ts'
import type { Database, Sql } from './sql.ts'

it('gives equal statements the same name, in transactions too', async () => {
  const asked: [string, string | undefined][] = []
  const sql: Sql = {
    query: async (text, _parameters, name) => (asked.push([text, name]), []),
    script: async () => undefined,
  }
  const database: Database = {
    ...sql,
    transaction: (work) => work(sql),
    close: async () => undefined,
  }
  const named = withNamedStatements(database)
  await named.query('SELECT $1', [1])
  await named.transaction((inside) => inside.query('SELECT $1', [2]))
  await named.query('SELECT 2', [])
  await named.query('SELECT 3', [], 'three')
  const [first, inside, second, third] = asked.map(([, name]) => name)
  expect(first).toBeDefined()
  expect(inside).toBe(first)
  expect(second).not.toBe(first)
  expect(third).toBe('three')
})
