import { addressFromBytes, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { markPaidPayees, recordPaid, sqlPaidPayees } from '../../src/adapters/store/paid-payees.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { openMigratedPglite } from '../migrated-pglite.ts'

let database: Database
beforeAll(async () => {
  database = await openMigratedPglite()
})
afterAll(() => database.close())

const somebody = (): Address => addressFromBytes(new Uint8Array(randomBytes(32)))

it('answers many callers at once, each about its own payee', async () => {
  const payees = Array.from({ length: 2_500 }, somebody)
  const paid = payees.filter((_, place) => place % 3 === 0)
  await recordPaid(database, [...paid, ...paid])
  await recordPaid(database, paid.toReversed())
  const [row] = await database.query<{ count: string }>('SELECT count(*) FROM paid_payees', [])
  expect(Number(row!.count)).toBe(paid.length)
  const { wasPaid } = sqlPaidPayees(database, { nowMs: () => 0 })
  const answers = await Promise.all(payees.map(async (one) => wasPaid(one, 'asker')))
  expect(answers).toEqual(payees.map((_, place) => place % 3 === 0))
})

it('keeps an answer for ten seconds, and only for the asker', async () => {
  const payee = somebody()
  let nowMs = 1_000_000
  const { wasPaid } = sqlPaidPayees(database, { nowMs: () => nowMs })
  expect(await wasPaid(payee, 'one')).toBe(false)
  await recordPaid(database, [payee])
  expect(await wasPaid(payee, 'one')).toBe(false)
  expect(await wasPaid(payee, 'another')).toBe(true)
  nowMs += 10_000
  expect(await wasPaid(payee, 'one')).toBe(true)
})

it('says that every payee may have been paid while earlier payees are missing', async () => {
  const answers = async () => {
    const { wasPaid } = sqlPaidPayees(database, { nowMs: () => 0 })
    return Promise.all([wasPaid(somebody(), 'asker'), wasPaid(somebody(), 'asker')])
  }
  expect(await answers()).toEqual([false, false])
  await markPaidPayees(database, false)
  expect(await answers()).toEqual([true, true])
  await markPaidPayees(database, true)
  expect(await answers()).toEqual([false, false])
})
