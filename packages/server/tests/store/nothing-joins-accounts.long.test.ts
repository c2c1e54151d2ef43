import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { singlingOut, traits, type Moment } from './join/account-attacker.ts'
import { dumpDatabase } from './join/evidence.ts'
import { beginLife, EPOCH_MS, NOW_MS, type Life } from './join/life.ts'
import { ACCOUNT_IDS, type AccountId } from './join/telling.ts'

const EACH = 8

let postgres: StartedPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/**
 * A function that removes a protection after an account's settlement. It receives the names of the messages that were
 * written with the settlement.
 */
type Leak = (life: Life, accountId: AccountId, names: readonly string[]) => Promise<void>

function shuffled<T>(given: readonly T[]): T[] {
  const drawn = [...given]
  for (let last = drawn.length - 1; last > 0; last -= 1) {
    const other = systemRandom.below(last + 1)
    ;[drawn[last], drawn[other]] = [drawn[other]!, drawn[last]!]
  }
  return drawn
}

/**
 * Settles orders of three accounts in random sequence, with a dump after each settlement. Returns the traits that
 * reveal the accounts.
 */
async function attackOn(leak?: Leak): Promise<string[]> {
  const database = openPostgres(await postgres.createDatabase())
  try {
    const life = await beginLife(database)
    const deposited = []
    for (let count = 0; count < EACH; count += 1) {
      for (const accountId of ACCOUNT_IDS) deposited.push(await life.deposit(accountId))
    }
    const namesNow = async () =>
      (
        await database.query<{ name: string }>(`SELECT encode(name, 'hex') AS name FROM outbox`, [])
      ).map(({ name }) => name)
    const settled = shuffled(deposited)
    const moments: Moment[] = [{ dump: await dumpDatabase(database), logLines: [] }]
    for (const lived of settled) {
      const before = new Set(await namesNow())
      const lines = life.logLines.length
      await life.settle(lived, 'deliver')
      const fresh = (await namesNow()).filter((name) => !before.has(name))
      await leak?.(life, lived.order.accountId as AccountId, fresh)
      const logLines = life.logLines.slice(lines)
      moments.push({ dump: await dumpDatabase(database), logLines })
    }
    return singlingOut(
      traits(moments),
      settled.map(({ order }) => order.accountId),
    )
  } finally {
    await database.close()
  }
}

it('dumps and logs do not reveal which settlements belong to accounts with an endpoint', async () => {
  expect(await attackOn()).toEqual([])
})

const write =
  (of: AccountId, statement: string): Leak =>
  async ({ database }, accountId, names) => {
    const all = `WHERE encode(name, 'hex') = ANY ($1::text[])`
    if (accountId === of) await database.query(`${statement} ${all}`, [names])
  }

const LEAKS: Readonly<Record<string, Leak>> = {
  'the lack of messages of an account without an endpoint': write('plain', 'DELETE FROM outbox'),
  'a message that is not polled again': write('acme', 'UPDATE outbox SET due_at = NULL'),
  'the time at which a dead endpoint is called again': write(
    'dead',
    `UPDATE outbox SET due_at = to_timestamp(${(NOW_MS + 2 * EPOCH_MS) / 1_000})`,
  ),
  'a count of attempts': write('plain', 'UPDATE outbox SET polls = 0'),
  'a log line for each message': async ({ logLines }, accountId) => {
    if (accountId === 'acme') logLines.push('{"msg":"webhook_delivered"}')
  },
}

it.each(Object.keys(LEAKS))('the attacker distinguishes accounts by %s', async (name) => {
  expect(await attackOn(LEAKS[name])).not.toEqual([])
})
