import { amount, NATIVE_MINT, unixSeconds, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { tryInsertAsset } from '../../src/operator/asset/asset-row.ts'
import type { FinalizedHead } from '../../src/ports/settlement-chain.ts'
import type { SettlementStore } from '../../src/ports/settlement-store.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { unknownLeaves } from '../../src/settlement/notes/unknown-leaves.ts'
import { insertOrder } from './stack/insert-order.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { openMigratedPglite } from '../migrated-pglite.ts'

const DEADLINE = unixSeconds(1_800_000_000n)
const NOW_MS = 1_800_000_000_000
const SENDER = 'SysvarC1ock11111111111111111111111111111111' as Address
const EPOCH = 7
const SEALED = new Uint8Array([1, 2, 3])

let postgres: SharedPostgres
beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())

const open: Record<'PGlite' | 'PostgreSQL', () => Promise<Database>> = {
  PGlite: () => openMigratedPglite(),
  PostgreSQL: async () => openPostgres(await postgres.createMigrated()),
}

describe.each(['PGlite', 'PostgreSQL'] as const)('%s', (kind) => {
  let database: Database
  let store: SettlementStore
  let secrets: Secrets
  let slot = 0n
  let notes = 0
  /** The leaf of the newest order. Each order has a different leaf. */
  let newest = 100n

  beforeAll(async () => {
    database = await open[kind]()
    await migrate(database)
    const folder = await mkdtemp(join(tmpdir(), 'sotto-store-'))
    secrets = openFileSecrets(folder, systemRandom)
    await secrets.forNewOrder(EPOCH)
    store = createSettlementStore(database, secrets)
    await store.openCursor(PROGRAM, new Uint8Array(32), NOW_MS)
    const fees = {
      serviceBps: 0,
      networkFeeExists: amount(0n),
      networkFeeCreated: amount(0n),
      inputMax: amount(1n),
    }
    const names = { mint: NATIVE_MINT, symbol: 'SOL', name: 'SOL', decimals: 9 }
    const row = { ...names, ...fees, kind: 'native', isSwappable: true } as const
    await tryInsertAsset(database, row, NOW_MS)
  })
  afterAll(() => database.close())

  /** Makes an order that awaits its deposit. Returns the order and the leaf that the deposit appends. */
  async function placeRow() {
    newest += 1n
    const leaf = newest
    const orderId = new Uint8Array(randomBytes(16))
    const terms = {
      ...{ orderId, sender: SENDER, sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT },
      ...{ amountIn: amount(3n), value: amount(3n), partnerFee: amount(0n) },
      ...{ deadline: DEADLINE, validUntil: DEADLINE },
      inner: 1n,
      payload: new Uint8Array(65),
    }
    const expiry = DEADLINE + 3_600n
    const kept = { epoch: EPOCH, sealedTerms: SEALED, leaf, expiry, amountOut: 2n }
    await insertOrder(database, terms, kept)
    return { orderId, leaf }
  }

  type Placed = Awaited<ReturnType<typeof placeRow>>

  const nextHead = (unix: bigint): FinalizedHead => {
    slot += 1n
    return { slot, blockHeight: slot, unixSeconds: unixSeconds(unix), nextLeaf: BigInt(notes) }
  }

  /** Records leaves and the orders' deposits. With `keep`, replaces all leaves from this index on, without deposits. */
  async function follow(
    leaves: readonly (Placed | bigint)[],
    options: { keep?: number; unix?: bigint; from?: number } = {},
  ): Promise<boolean> {
    const { unix = DEADLINE - 100n, from = notes, keep } = options
    const first = keep ?? from
    const deposits = leaves.flatMap((one, place) =>
      typeof one === 'bigint' || keep !== undefined
        ? []
        : [{ orderId: one.orderId, leafIndex: first + place, sealedPlan: SEALED }],
    )
    const head = { ...nextHead(unix), nextLeaf: BigInt(first + leaves.length) }
    const batch = {
      ...{ from: BigInt(from), head, deposits, keep: first, isRescan: keep !== undefined },
      leaves: leaves.map((one) => (typeof one === 'bigint' ? one : one.leaf)),
    }
    const isRecorded = await store.tryRecord(batch, NOW_MS)
    if (isRecorded) notes = first + leaves.length
    return isRecorded
  }

  async function depositedRow(): Promise<Placed> {
    const placed = await placeRow()
    expect(await follow([placed])).toBe(true)
    return placed
  }

  const deposited = async () => (await depositedRow()).orderId

  async function statusOf(orderId: Uint8Array): Promise<string> {
    const rows = await database.query<{ status: string }>(
      `SELECT COALESCE((SELECT status FROM settlements WHERE pseudonym = $2), status) AS status
       FROM orders WHERE id = $1`,
      [orderId, (await secrets.read(EPOCH))!.pseudonym(orderId)],
    )
    return rows[0]!.status
  }

  const claim = (orderId: Uint8Array, owner: string, nowMs = NOW_MS) =>
    store.tryClaim(orderId, owner, nowMs, nowMs + 1_000)

  it('lets only one worker claim an order until the lease ends', async () => {
    const orderId = await deposited()
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => claim(orderId, owner)))
    expect(claims.filter((lease) => lease !== undefined)).toHaveLength(1)
    expect(await claim(orderId, 'e', NOW_MS + 999)).toBeUndefined()
    expect(await claim(orderId, 'e', NOW_MS + 1_000)).toBeDefined()
  })

  it('ignores a lease written by a clock that is far ahead', async () => {
    const orderId = await deposited()
    const YEAR_MS = 365 * 86_400_000
    expect(await claim(orderId, 'ahead', NOW_MS + YEAR_MS)).toBeDefined()
    expect(await claim(orderId, 'right')).toBeDefined()
    // If the clocks of two workers differ by only seconds, neither worker takes over the other's lease.
    expect(await claim(orderId, 'behind', NOW_MS - 900)).toBeUndefined()
  })

  it('renews a lease only while its worker holds it', async () => {
    const orderId = await deposited()
    const lease = (await claim(orderId, 'a'))!
    expect(await store.tryRenew(lease, NOW_MS + 1_900)).toBe(true)
    expect(await claim(orderId, 'b', NOW_MS + 1_000)).toBeUndefined()
    const taken = (await claim(orderId, 'b', NOW_MS + 1_900))!
    expect(await store.tryRenew(lease, NOW_MS + 5_000)).toBe(false)
    await store.release(lease)
    expect(await store.tryRenew(taken, NOW_MS + 3_000)).toBe(true)
    await store.release(taken)
    expect(await store.tryRenew(taken, NOW_MS + 4_000)).toBe(false)
  })

  it('lets no worker journal under a lease that another worker has taken over', async () => {
    const orderId = await deposited()
    const stale = (await claim(orderId, 'a'))!
    const fresh = (await claim(orderId, 'b', NOW_MS + 1_000))!
    const attempt = { kind: 'deliver', sealed: SEALED } as const
    expect(await store.tryJournal(stale, attempt)).toBe(false)
    expect(await store.tryJournal(fresh, attempt)).toBe(true)
    expect(await statusOf(orderId)).toBe('delivering')
  })

  it('never has two live attempts of an order', async () => {
    const orderId = await deposited()
    const lease = (await claim(orderId, 'a'))!
    const attempt = { kind: 'deliver', sealed: SEALED } as const
    const tries = await Promise.all([1, 2, 3].map(() => store.tryJournal(lease, attempt)))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await claim(orderId, 'b', NOW_MS + 5_000)).toBeUndefined()
    expect(await store.tryBeginRefund(lease, SEALED, SEALED, NOW_MS)).toBe(false)
    expect(await store.tryMarkDead({ orderId, epoch: EPOCH }, 1)).toBe(true)
    expect(await store.tryMarkDead({ orderId, epoch: EPOCH }, 1)).toBe(false)
    expect(await store.tryJournal(lease, attempt)).toBe(true)
  })

  it('delivers nothing after a refund has begun', async () => {
    const orderId = await deposited()
    const lease = (await claim(orderId, 'a'))!
    expect(await store.tryJournal(lease, { kind: 'refund', sealed: SEALED })).toBe(false)
    expect(await store.tryBeginRefund(lease, SEALED, SEALED, NOW_MS)).toBe(true)
    expect(await store.tryJournal(lease, { kind: 'deliver', sealed: SEALED })).toBe(false)
    const outcome = { orderId, epoch: EPOCH, sealedOutcome: SEALED, attempt: undefined }
    expect(await store.tryComplete({ ...outcome, to: 'refunded' }, NOW_MS)).toBe(true)
    expect(await store.tryComplete({ ...outcome, to: 'refunded' }, NOW_MS)).toBe(false)
  })

  it('moves the cursor for only one of two workers that read the same part of the chain', async () => {
    const from = notes
    const placed = await placeRow()
    const results = await Promise.all([0, 1].map(() => follow([placed], { from })))
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  it('expires an order only if its deadline is past and its leaf is not in the tree', async () => {
    const { orderId: unpaid } = await placeRow()
    const paid = await deposited()
    const late = await placeRow()
    await follow([], { unix: DEADLINE })
    expect(await statusOf(unpaid)).toBe('awaiting_deposit')
    // The order's leaf is stored, but no deposit is recorded for the order.
    await follow([late.leaf], { unix: DEADLINE })
    await follow([], { unix: DEADLINE + 1n })
    expect(await statusOf(unpaid)).toBe('expired')
    expect(await statusOf(paid)).toBe('deposited')
    expect(await statusOf(late.orderId)).toBe('awaiting_deposit')
    expect(await store.listArrived(DEADLINE)).toEqual([])
    expect(await store.listArrived(unixSeconds(DEADLINE + 1n))).toMatchObject([
      { orderId: late.orderId, leafIndex: notes - 1 },
    ])
  })

  it('finds an order by its leaf only while the order awaits its deposit', async () => {
    const [one, other] = [await placeRow(), await depositedRow()]
    const found = await store.readAwaiting([one.leaf, other.leaf, 3n])
    expect(found).toMatchObject([{ orderId: one.orderId, leaf: one.leaf, epoch: EPOCH }])
    await store.markSeen([one.leaf], NOW_MS)
    const [row] = await database.query<{ seen: boolean }>(
      'SELECT deposit_seen_at IS NOT NULL AS seen FROM orders WHERE id = $1',
      [one.orderId],
    )
    expect(row).toEqual({ seen: true })
  })

  it('replaces a deposit’s recorded time once its transaction is found', async () => {
    const orderId = await deposited()
    const read = async () =>
      database.query('SELECT deposit_at, deposit_signature FROM orders WHERE id = $1', [orderId])
    expect(await read()).toEqual([{ deposit_at: `${DEADLINE - 100n}`, deposit_signature: null }])
    expect((await store.listUnlocated(1))[0]).toEqual(orderId)
    const found = { signature: 'sig', slot: 4n, unixSeconds: unixSeconds(DEADLINE - 120n) }
    await store.recordLocated(orderId, found)
    await store.recordLocated(orderId, { ...found, signature: 'another' })
    expect(await read()).toEqual([{ deposit_at: `${DEADLINE - 120n}`, deposit_signature: 'sig' }])
    const unlocated = await store.listUnlocated(1_000)
    expect(unlocated.some((id) => Buffer.compare(id, orderId) === 0)).toBe(false)
  })

  it('counts a leaf as unexplained if it belongs to no known order', async () => {
    const unknown = async () => {
      const count = (await store.listOpen()).length
      return unknownLeaves(await store.readLedger(), { count, settled: 0, appendedPayments: 0 })
    }
    const before = await unknown()
    await follow([7n])
    expect(await unknown()).toBe(before + 1)
    // Here, the leaf 7 is the change leaf of an open order. It comes from that order's settlement, which isn't recorded
    // as complete yet.
    const count = (await store.listOpen()).length
    const settled = (await store.findLeaves([7n, 70n])).size
    expect(unknownLeaves(await store.readLedger(), { count, settled, appendedPayments: 0 })).toBe(
      before,
    )
  })

  it('gives every order its new leaf index after a rescan', async () => {
    const [one, other] = [await depositedRow(), await depositedRow()]
    expect(await follow([other, 5n, one, other], { keep: notes - 2 })).toBe(true)
    const places = new Map(
      (await store.listOpen()).map(({ orderId, leafIndex }) => [
        Buffer.from(orderId).toString('hex'),
        leafIndex,
      ]),
    )
    const placeOf = ({ orderId }: Placed) => places.get(Buffer.from(orderId).toString('hex'))
    // If two leaves are equal, the first of them belongs to the order.
    expect([placeOf(other), placeOf(one)]).toEqual([notes - 4, notes - 2])
    expect(await store.readLeaves(notes - 4)).toEqual([other.leaf, 5n, one.leaf, other.leaf])
    expect(await store.readLeaves(0)).toHaveLength(notes)
    // If leaves are removed and appended again, they are assigned to their orders again.
    expect(await follow([], { keep: notes - 4 })).toBe(true)
    expect(await follow([7n, one.leaf, other.leaf])).toBe(true)
    const again = (await store.listOpen()).map(({ leafIndex }) => leafIndex)
    expect(again).toEqual(expect.arrayContaining([notes - 2, notes - 1]))
  })

  it('moves the cursor back only from an impossible slot', async () => {
    const head = { blockHeight: 1n, unixSeconds: unixSeconds(1n), nextLeaf: BigInt(notes) }
    const empty = { keep: notes, from: BigInt(notes), isRescan: false, leaves: [], deposits: [] }
    const step = (at: bigint) => store.tryRecord({ ...empty, head: { ...head, slot: at } }, NOW_MS)
    expect(await step(9_000_000_000n)).toBe(true)
    expect(await step(8_999_999_999n)).toBe(false)
    slot += 1n
    expect(await step(slot)).toBe(true)
    expect((await store.readCursor()).slot).toBe(slot)
  })
})
