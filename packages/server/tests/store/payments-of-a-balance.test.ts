import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { poseidonLite } from '../../src/adapters/poseidon/poseidon-lite.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { hexOf } from '../../src/domain/hex.ts'
import { NoteOpener } from '../../src/settlement/notes/open-note.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { landPayment, openBalance, openedBalance, TOP_UPS } from './join/balances.ts'
import { dumpDatabase, type DumpedRow } from './join/evidence.ts'
import { beginLife, DOMAIN, type Life } from './join/life.ts'

const BALANCES = 3
const PAYMENTS = 4

let postgres: SharedPostgres
let database: Database
let life: Life
let opener: NoteOpener
beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())
beforeEach(async () => {
  database = openPostgres(await postgres.createMigrated())
  life = await beginLife(database)
  const log = pinoLog('info', { write: () => undefined })
  const pool = { domain: DOMAIN }
  opener = new NoteOpener({ secrets: life.secrets, poseidon: poseidonLite, pool, log })
})
afterEach(() => database.close())

/** Draws a sequence in which each balance pays `PAYMENTS` times. */
function drawSequence(): number[] {
  const left = Array.from({ length: BALANCES * PAYMENTS }, (_, place) => place % BALANCES)
  const drawn: number[] = []
  while (left.length > 0) drawn.push(...left.splice(systemRandom.below(left.length), 1))
  return drawn
}

/** Makes payments out of some balances, in a random sequence, with a dump after each payment. */
async function live(around: (balanceId: Uint8Array) => Promise<void> = async () => undefined) {
  const balances: Uint8Array[] = []
  for (let count = 0; count < BALANCES; count += 1) {
    balances.push(await openBalance(life, database))
  }
  const sequence = drawSequence()
  const dumps = [await dumpDatabase(database)]
  for (const [place, number] of sequence.entries()) {
    const balanceId = balances[number]!
    const payment = await landPayment(life, database, opener, balanceId, BigInt(place + 1))
    dumps.push(await dumpDatabase(database))
    expect(await payment.complete(await payment.read())).toBe(true)
    await around(balanceId)
    dumps.push(await dumpDatabase(database))
  }
  return { balances, dumps, sequence }
}

/**
 * Groups payments by the rows that they wrote: two payments that wrote the same row may belong to one balance. Returns
 * the groups. A row that each payment writes, such as the only row of a table, groups nothing.
 */
function groupsOf(dumps: readonly (readonly DumpedRow[])[]): number[][] {
  const writers = new Map<string, number[]>()
  const nameOf = ({ table, cells: { id, pseudonym, name, leaf_index: index } }: DumpedRow) =>
    `${table} ${id ?? pseudonym ?? name ?? index}`
  for (let payment = 0; 2 * payment + 2 < dumps.length; payment += 1) {
    const before = new Map(dumps[2 * payment + 1]!.map((row) => [nameOf(row), row]))
    for (const row of dumps[2 * payment + 2]!) {
      const name = nameOf(row)
      const old = before.get(name)
      if (old !== undefined && old.xmin === row.xmin && old.xmax === row.xmax) continue
      writers.set(name, [...(writers.get(name) ?? []), payment])
    }
  }
  const count = BALANCES * PAYMENTS
  return [...writers.values()].filter(({ length }) => length > 1 && length < count)
}

it('no copy of the database shows which payments were made out of the same balance', async () => {
  const { balances, dumps } = await live()
  expect(groupsOf(dumps)).toEqual([])
  // The service can still read the newest note of each balance.
  for (const balanceId of balances) {
    const newest = await openedBalance(life, opener, balanceId)
    expect(newest?.plan.note?.nk).toBeGreaterThan(0n)
  }
})

it('a row that each payment of a balance writes would show the balance’s payments', async () => {
  const keys = await life.secrets.forNewOrder(TOP_UPS)
  const { dumps, sequence } = await live(async (balanceId) => {
    await database.query(
      `INSERT INTO settlements (pseudonym, status) VALUES (decode($1, 'hex'), 'deposited')
       ON CONFLICT (pseudonym) DO UPDATE SET lease_until = now()`,
      [hexOf(keys.pseudonym(balanceId))],
    )
  })
  const truth = Array.from({ length: BALANCES }, (_, balance) =>
    sequence.flatMap((number, payment) => (number === balance ? [payment] : [])),
  )
  expect(groupsOf(dumps).sort()).toEqual(truth.sort())
})

it('a balance’s key shows only the newest payment and those of the present day', async () => {
  const balanceId = await openBalance(life, database)
  const pay = async (changeNk: bigint) => {
    const payment = await landPayment(life, database, opener, balanceId, changeNk)
    await payment.complete(await payment.read())
  }
  const kept = async () => {
    const rows = await database.query<{ readonly length: number }>(
      'SELECT octet_length(sealed) AS length FROM plans',
      [],
    )
    return rows.filter(({ length }) => length > 0).length
  }
  await pay(1n)
  await pay(2n)
  await pay(3n)
  await life.store.forgetReplacedPlans()
  expect(await kept()).toBe(3)
  await database.query('UPDATE chain_cursor SET unix_seconds = unix_seconds + 86400', [])
  await life.store.forgetReplacedPlans()
  expect(await kept()).toBe(1)
  expect((await openedBalance(life, opener, balanceId))?.plan.note?.nk).toBe(3n)
  await pay(4n)
  await life.store.forgetReplacedPlans()
  expect(await kept()).toBe(2)
  expect((await openedBalance(life, opener, balanceId))?.plan.note?.nk).toBe(4n)
})
