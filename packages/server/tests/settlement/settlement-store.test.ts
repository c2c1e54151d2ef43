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
import type { StoredLeaf, SettlementStore } from '../../src/ports/settlement-store.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import { startPostgres, type StartedPostgres } from '../start-postgres.ts'
import { insertOrder } from './stack/insert-order.ts'
import { PROGRAM } from './stack/localnet-process.ts'
import { openMigratedPglite } from '../migrated-pglite.ts'

const DEADLINE = 1_800_000_000n
const NOW_MS = 1_800_000_000_000
const SENDER = 'SysvarC1ock11111111111111111111111111111111' as Address
const EPOCH = 7
const SEALED = new Uint8Array([1, 2, 3])

let postgres: StartedPostgres
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const open: Record<'PGlite' | 'PostgreSQL', () => Promise<Database>> = {
  PGlite: () => openMigratedPglite(),
  PostgreSQL: async () => openPostgres(await postgres.createDatabase()),
}

describe.each(['PGlite', 'PostgreSQL'] as const)('%s', (kind) => {
  let database: Database
  let store: SettlementStore
  let secrets: Secrets
  let slot = 0n
  let signature: string | undefined
  let notes = 0

  beforeAll(async () => {
    database = await open[kind]()
    await migrate(database)
    const folder = await mkdtemp(join(tmpdir(), 'sotto-store-'))
    secrets = openFileSecrets(folder, systemRandom)
    await secrets.forNewOrder(EPOCH)
    store = createSettlementStore(database, secrets)
    await store.openCursor(PROGRAM, new Uint8Array(32), NOW_MS)
    const fees = { serviceBps: 0, networkFeeExists: 0n, networkFeeCreated: 0n, inputMax: 1n }
    const names = { mint: NATIVE_MINT, symbol: 'SOL', name: 'SOL', decimals: 9 }
    const row = { ...names, ...fees, kind: 'native', isSwappable: true } as const
    await tryInsertAsset(database, row, NOW_MS)
  })
  afterAll(() => database.close())

  async function placeRow(): Promise<Uint8Array> {
    const orderId = new Uint8Array(randomBytes(16))
    const terms = {
      orderId,
      sender: SENDER,
      sourceMint: NATIVE_MINT,
      destinationMint: NATIVE_MINT,
      amountIn: amount(3n),
      amountOut: amount(2n),
      fee: amount(1n),
      partnerFee: amount(0n),
      deadline: unixSeconds(DEADLINE),
      validUntil: unixSeconds(DEADLINE),
      expiry: unixSeconds(DEADLINE + 3_600n),
      inner: 1n,
      payload: new Uint8Array(52),
    }
    await insertOrder(database, terms, EPOCH, SEALED)
    return orderId
  }

  const nextHead = (unix: bigint): FinalizedHead => {
    slot += 1n
    return { slot, blockHeight: slot, unixSeconds: unix, nextLeaf: BigInt(notes) }
  }

  async function follow(
    leaves: readonly StoredLeaf[],
    options: { isRescan?: boolean; unix?: bigint; from?: string | undefined } = {},
  ): Promise<boolean> {
    const { isRescan = false, unix = DEADLINE - 100n } = options
    const from = 'from' in options ? options.from : signature
    const lastSignature = randomBytes(8).toString('hex')
    const deposits = isRescan
      ? []
      : leaves.map(({ orderId, index }) => ({
          orderId,
          signature: lastSignature,
          slot,
          unixSeconds: unix,
          leafIndex: index,
          sealedPlan: SEALED,
          adopted: undefined,
        }))
    const head = nextHead(unix)
    const step = { from, lastSignature, head, isRescan, keep: 0, disowned: [] }
    const batch = { ...step, leaves, deposits }
    const isRecorded = await store.tryRecord(batch, NOW_MS)
    if (isRecorded) signature = lastSignature
    return isRecorded
  }

  const leafOf = (orderId: Uint8Array, index: number): StoredLeaf => ({
    index,
    leaf: BigInt(index + 1),
    orderId,
    slot,
  })

  async function deposited(): Promise<Uint8Array> {
    const orderId = await placeRow()
    notes += 1
    expect(await follow([leafOf(orderId, notes - 1)])).toBe(true)
    return orderId
  }

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

  it('lets one of many workers have an order, and another only once its lease has ended', async () => {
    const orderId = await deposited()
    const claims = await Promise.all(['a', 'b', 'c', 'd'].map((owner) => claim(orderId, owner)))
    expect(claims.filter((lease) => lease !== undefined)).toHaveLength(1)
    expect(await claim(orderId, 'e', NOW_MS + 999)).toBeUndefined()
    expect(await claim(orderId, 'e', NOW_MS + 1_000)).toBeDefined()
  })

  it('lets nobody wait for a lease that a clock far ahead has written', async () => {
    const orderId = await deposited()
    const YEAR_MS = 365 * 86_400_000
    expect(await claim(orderId, 'ahead', NOW_MS + YEAR_MS)).toBeDefined()
    expect(await claim(orderId, 'right')).toBeDefined()
    // Workers whose clocks differ by seconds don't take each other's leases away.
    expect(await claim(orderId, 'behind', NOW_MS - 900)).toBeUndefined()
  })

  it('holds a renewed lease, and renews none that was given back or taken over', async () => {
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

  it('lets nobody journal behind a lease that somebody else has taken over', async () => {
    const orderId = await deposited()
    const stale = (await claim(orderId, 'a'))!
    const fresh = (await claim(orderId, 'b', NOW_MS + 1_000))!
    const attempt = { kind: 'deliver', sealed: SEALED } as const
    expect(await store.tryJournal(stale, attempt)).toBe(false)
    expect(await store.tryJournal(fresh, attempt)).toBe(true)
    expect(await statusOf(orderId)).toBe('delivering')
  })

  it('never has two live attempts of an order, whoever tries at once', async () => {
    const orderId = await deposited()
    const lease = (await claim(orderId, 'a'))!
    const attempt = { kind: 'deliver', sealed: SEALED } as const
    const tries = await Promise.all([1, 2, 3].map(() => store.tryJournal(lease, attempt)))
    expect(tries.filter(Boolean)).toHaveLength(1)
    expect(await claim(orderId, 'b', NOW_MS + 5_000)).toBeUndefined()
    expect(await store.tryBeginRefund(lease, SEALED, NOW_MS)).toBe(false)
    expect(await store.tryMarkDead(orderId, 1)).toBe(true)
    expect(await store.tryMarkDead(orderId, 1)).toBe(false)
    expect(await store.tryJournal(lease, attempt)).toBe(true)
  })

  it('delivers nothing any more once a refund has begun', async () => {
    const orderId = await deposited()
    const lease = (await claim(orderId, 'a'))!
    expect(await store.tryJournal(lease, { kind: 'refund', sealed: SEALED })).toBe(false)
    expect(await store.tryBeginRefund(lease, SEALED, NOW_MS)).toBe(true)
    expect(await store.tryJournal(lease, { kind: 'deliver', sealed: SEALED })).toBe(false)
    const outcome = { orderId, sealedOutcome: SEALED, attempt: undefined }
    expect(await store.tryComplete({ ...outcome, to: 'delivered' }, NOW_MS)).toBe(false)
    expect(await store.tryComplete({ ...outcome, to: 'refunded' }, NOW_MS)).toBe(true)
    expect(await store.tryComplete({ ...outcome, to: 'refunded' }, NOW_MS)).toBe(false)
  })

  it('moves the cursor for one of two workers that read the same stretch of the chain', async () => {
    const from = signature
    const orderId = await placeRow()
    notes += 1
    const steps = [0, 1].map(() => follow([leafOf(orderId, notes - 1)], { from }))
    const results = await Promise.all(steps)
    expect(results.filter(Boolean)).toHaveLength(1)
  })

  it('expires an order only past its deadline, and never one that has a leaf', async () => {
    const [unpaid, paid] = [await placeRow(), await deposited()]
    await follow([], { unix: DEADLINE })
    expect(await statusOf(unpaid)).toBe('awaiting_deposit')
    await follow([], { unix: DEADLINE + 1n })
    expect(await statusOf(unpaid)).toBe('expired')
    expect(await statusOf(paid)).toBe('deposited')
  })

  it('tells that its orders are incomplete as long as a leaf belongs to none of them', async () => {
    expect(await store.hasUnknownLeaf()).toBe(false)
    const index = notes
    notes += 1
    const lost = new Uint8Array(randomBytes(16))
    const nothing = { isRescan: false, keep: 0, disowned: [], deposits: [] }
    const step = { from: signature, lastSignature: 'lost', ...nothing }
    const head = nextHead(DEADLINE - 100n)
    expect(await store.tryRecord({ ...step, head, leaves: [leafOf(lost, index)] }, NOW_MS)).toBe(
      true,
    )
    signature = 'lost'
    expect(await store.hasUnknownLeaf()).toBe(true)
    await database.query('DELETE FROM leaves WHERE leaf_index = $1', [index])
    notes -= 1
  })

  it('puts every order at its place when a rescan finds the leaves in another order', async () => {
    const [one, other] = [await deposited(), await deposited()]
    const before = await database.query<{ order_id: Uint8Array; slot: string }>(
      'SELECT order_id, slot FROM leaves ORDER BY leaf_index',
      [],
    )
    const ids: Uint8Array[] = before.map(({ order_id: id }) => new Uint8Array(id))
    ids.splice(-2, 2, other, one)
    const slots = before.map((leaf) => BigInt(leaf.slot))
    slots.push(...slots.splice(-2).reverse())
    const leaves = ids.map((id, index) => ({ ...leafOf(id, index), slot: slots[index]! }))
    expect(await follow(leaves, { isRescan: true })).toBe(true)
    const places = (await store.listOpen()).filter(({ orderId }) =>
      [one, other].some((id) => Buffer.compare(id, orderId) === 0),
    )
    const found = Object.fromEntries(
      places.map(({ orderId, leafIndex }) => [Buffer.from(orderId).toString('hex'), leafIndex]),
    )
    expect(found[Buffer.from(other).toString('hex')]).toBe(ids.length - 2)
    expect(found[Buffer.from(one).toString('hex')]).toBe(ids.length - 1)
    expect(await store.readLeaves(0)).toHaveLength(ids.length)
  })
})
