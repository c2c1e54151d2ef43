import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { payeeHash } from '../../src/adapters/store/paid-payees.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { attack, type PublicChain } from './join/attacker.ts'
import { dumpDatabase, dumpFolder, type DumpedRow, type Evidence } from './join/evidence.ts'
import {
  beginLife,
  EPOCH,
  EPOCH_MS,
  hexOfAddress,
  RETENTION_MS,
  type Life,
  type LivedOrder,
} from './join/life.ts'
import { betterThanChance } from './join/verdict.ts'

const ORDERS = 14
/**
 * Number of correct pairs that count as a success of the attacker. A random pairing has ten or more correct pairs in
 * less than one of 3.6 million tries. The test makes a few hundred tries.
 */
const LEAST = 10

let postgres: StartedPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

/** A protection that the test removes, either after each settlement or at the very end. */
interface Leak {
  /** The clue that must reveal the leak. */
  readonly clue: RegExp
  readonly around?: (life: Life, lived: LivedOrder) => Promise<void>
  readonly instead?: (life: Life, settled: readonly LivedOrder[]) => Promise<void>
}

interface Lived {
  readonly evidence: Evidence
  readonly chain: PublicChain
  readonly truth: ReadonlyMap<string, number>
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/**
 * Shuffles the orders. The result differs enough from the sequence of the deposits and from the sequence of the ids,
 * forwards and backwards. An attacker knows these sequences.
 */
function drawOrder(deposited: readonly LivedOrder[]): LivedOrder[] {
  const known = [deposited, [...deposited].sort((a, b) => Buffer.compare(a.order.id, b.order.id))]
  for (;;) {
    const drawn = [...deposited]
    for (let last = drawn.length - 1; last > 0; last -= 1) {
      const other = systemRandom.below(last + 1)
      ;[drawn[last], drawn[other]] = [drawn[other]!, drawn[last]!]
    }
    const isLike = (order: readonly LivedOrder[]) =>
      drawn.filter((one, index) => one === order[index]).length > 3 ||
      drawn.filter((one, index) => one === order.at(-1 - index)).length > 3
    if (!known.some(isLike)) return drawn
  }
}

/** Runs some orders from the deposit to the destruction of the key, with a dump after every settlement. */
async function live(database: Database, leak?: Leak): Promise<Lived> {
  const life = await beginLife(database)
  const deposited: LivedOrder[] = []
  for (let count = 0; count < ORDERS; count += 1) deposited.push(await life.deposit())
  const settled = drawOrder(deposited)
  const dumps: DumpedRow[][] = [await dumpDatabase(database)]
  for (const [index, lived] of settled.entries()) {
    await life.settle(lived, index % 5 === 4 ? 'refund' : 'deliver')
    await leak?.around?.(life, lived)
    dumps.push(await dumpDatabase(database))
  }
  if (leak?.instead === undefined) await life.destroyAt((EPOCH + 3) * EPOCH_MS + RETENTION_MS)
  else await leak.instead(life, settled)
  dumps.push(await dumpDatabase(database))
  const keys = await dumpFolder(life.keyFolder)
  return {
    evidence: { dumps, logLines: life.logLines, keys },
    chain: publicChain(deposited, settled),
    truth: new Map(settled.map(({ order }, index) => [hex(order.id), index])),
  }
}

function publicChain(
  deposited: readonly LivedOrder[],
  settled: readonly LivedOrder[],
): PublicChain {
  return {
    deposits: deposited.map(({ order, depositSignature }) => ({
      orderId: hex(order.id),
      sender: order.sender,
      signature: depositSignature,
    })),
    settlements: settled.map(({ recipient, settlementSignature, nullifier }) => ({
      payee: recipient,
      payeeHex: hexOfAddress(recipient),
      payeeHash: payeeHash(recipient),
      signature: settlementSignature,
      nullifierHex: nullifier.toString(16).padStart(64, '0'),
    })),
  }
}

async function attackOn(leak?: Leak) {
  const database = openPostgres(await postgres.createDatabase())
  try {
    const lived = await live(database, leak)
    return {
      ...lived,
      found: betterThanChance(attack(lived.evidence, lived.chain), lived.truth, LEAST),
    }
  } finally {
    await database.close()
  }
}

it('after the keys are destroyed, no dump, log or key joins deposits and settlements', async () => {
  const { evidence, chain, found } = await attackOn()
  expect(found).toEqual([])
  // The tables of settlements, attempts, messages and plans have no rows left. Only two lists of facts that the chain
  // shows remain: the payees as hashes, and the amounts of the last hours. Neither list names an order.
  const everything = JSON.stringify(evidence)
  for (const { payee, payeeHex, signature, nullifierHex } of chain.settlements) {
    for (const fact of [payee, payeeHex, signature, nullifierHex]) {
      expect(everything).not.toContain(fact)
    }
  }
  const last = evidence.dumps.at(-1)!
  expect(
    last.filter(({ table }) => ['settlements', 'attempts', 'outbox', 'plans'].includes(table)),
  ).toEqual([])
  const paid = last.filter(({ table }) => table === 'paid_payees')
  expect(paid.map(({ cells }) => Object.keys(cells))).toEqual(paid.map(() => ['payee_hash']))
  expect(paid).toHaveLength(ORDERS - 2)
  const orders = last.filter(({ table }) => table === 'orders')
  expect(new Set(orders.map(({ xmin }) => xmin)).size).toBe(1)
  expect(new Set(orders.map(({ cells }) => cells['final_hour'])).size).toBe(1)
  expect(orders.filter(({ cells }) => cells['status'] === 'refunded')).toHaveLength(2)
})

it('sealed data has one length for each column, independent of its content', async () => {
  const { evidence } = await attackOn()
  const midway = evidence.dumps[ORDERS / 2]!
  const sealed = new Map<string, Set<number>>()
  for (const { table, cells } of midway) {
    for (const [column, value] of Object.entries(cells)) {
      if (!column.startsWith('sealed') || value === '') continue
      const name = `${table}.${column}`
      sealed.set(name, (sealed.get(name) ?? new Set()).add(value.length))
    }
  }
  expect([...sealed.keys()].sort()).toEqual([
    'attempts.sealed',
    'orders.sealed_plan',
    'orders.sealed_response',
    'orders.sealed_terms',
    'outbox.sealed',
    'plans.sealed',
    'settlements.sealed_outcome',
  ])
  for (const [name, lengths] of sealed) expect([name, lengths.size]).toEqual([name, 1])
})

const touch =
  (statement: string) =>
  async ({ database }: Life, { order }: LivedOrder) => {
    await database.query(statement, [order.id])
  }

const LEAKS: Readonly<Record<string, Leak>> = {
  "an update of the order's row": {
    clue: /orders by (place|xmin)$/,
    around: touch('UPDATE orders SET updated_at = updated_at WHERE id = $1'),
  },
  "a lock on the order's row": {
    clue: /orders by xmax$/,
    around: touch('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE'),
  },
  'an attempt that names its order': {
    clue: /attempts by place$/,
    around: async ({ database }, { order }) => {
      await database.query('ALTER TABLE attempts ADD COLUMN IF NOT EXISTS order_id bytea', [])
      await database.query('UPDATE attempts SET order_id = $1 WHERE order_id IS NULL', [order.id])
    },
  },
  'a message that names its order': {
    clue: /^rows that appear/,
    around: async ({ database }, { order }) => {
      await database.query('ALTER TABLE outbox ADD COLUMN IF NOT EXISTS order_id bytea', [])
      await database.query(
        `UPDATE outbox SET order_id = $1
         WHERE name = (SELECT name FROM outbox WHERE polls = 1 LIMIT 1)`,
        [order.id],
      )
    },
  },
  'a log line with the id of an order': {
    clue: /^log lines$/,
    around: async ({ logLines }, { order }) => void logLines.push(`delivered ${hex(order.id)}`),
  },
  "the recipient beside the order's id": {
    clue: /^facts of a settlement/,
    around: async ({ database }, { order, recipient }) => {
      await database.query('CREATE TABLE IF NOT EXISTS notes (id bytea, note text)', [])
      await database.query('INSERT INTO notes VALUES ($1, $2)', [order.id, `to ${recipient}`])
    },
  },
  'a key that was never destroyed': { clue: /^the key/, instead: async () => undefined },
  'exact times of the end': {
    clue: /orders by final_hour$/,
    instead: async ({ database, destroyAt }, settled) => {
      await destroyAt((EPOCH + 3) * EPOCH_MS + RETENTION_MS)
      for (const [index, { order }] of settled.entries()) {
        const at = new Date(EPOCH * EPOCH_MS + index * 1_000)
        await database.query('UPDATE orders SET final_hour = $2 WHERE id = $1', [order.id, at])
      }
    },
  },
}

it.each(Object.keys(LEAKS))(
  'the attacker joins deposits and settlements through %s',
  async (name) => {
    const { found } = await attackOn(LEAKS[name])
    expect(found.filter(({ clue }) => LEAKS[name]!.clue.test(clue))).not.toEqual([])
  },
)
