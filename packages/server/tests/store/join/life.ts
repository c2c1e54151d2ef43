import {
  addressBytes,
  addressFromBytes,
  amount,
  innerCommitment,
  leafOf,
  NATIVE_MINT,
  nullifierOf,
  type Address,
} from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileSecrets } from '../../../src/adapters/keystore/file-secrets.ts'
import { pinoLog } from '../../../src/adapters/log/pino-log.ts'
import { poseidonLite } from '../../../src/adapters/poseidon/poseidon-lite.ts'
import { systemRandom } from '../../../src/adapters/random/system-random.ts'
import { migrate } from '../../../src/adapters/store/migrate.ts'
import { sqlOrderStore } from '../../../src/adapters/store/order-store.ts'
import { createSettlementStore } from '../../../src/adapters/store/settlement/settlement-store.ts'
import type { Database } from '../../../src/adapters/store/sql.ts'
import { EPOCH_MS } from '../../../src/domain/epoch.ts'
import { encodeOutcome, encodePlan, encodeTerms } from '../../../src/domain/order-secrets.ts'
import { tryInsertAsset } from '../../../src/operator/asset/asset-row.ts'
import type { NewOrder } from '../../../src/ports/order-store.ts'
import type { EpochSecrets, Secrets } from '../../../src/ports/secrets.ts'
import type { SettlementStore } from '../../../src/ports/settlement-store.ts'
import { destroyEpochs } from '../../../src/settlement/upkeep/destroy-epochs.ts'
import { PROGRAM } from '../../settlement/stack/localnet-process.ts'
import { HandClock } from '../../webhooks/hand-clock.ts'
import { addAccounts, beginTelling, type AccountId } from './telling.ts'

export { EPOCH_MS }
export const EPOCH = 500_000
export const NOW_MS = EPOCH * EPOCH_MS + 600_000
export const DEADLINE = BigInt(NOW_MS / 1_000) + 1_800n
export const EXPIRY = DEADLINE + 4_200n
export const RETENTION_MS = 24 * EPOCH_MS
const LEASE_MS = 8_000

/** An order as the service would store it, with the data that only the service and its user know. */
export interface LivedOrder {
  readonly order: NewOrder
  readonly recipient: Address
  readonly depositSignature: string
  readonly settlementSignature: string
  readonly nullifier: bigint
  readonly leafIndex: number
}

/** A service's stores over a database of its own, with a key store in a folder of its own. */
export interface Life {
  readonly database: Database
  readonly store: SettlementStore
  readonly secrets: Secrets
  readonly keyFolder: string
  readonly logLines: string[]
  /** Stores an order and records its deposit; each in a transaction of its own. */
  readonly deposit: (accountId?: AccountId) => Promise<LivedOrder>
  /** Claims, journals and completes an order, delivered or refunded. */
  readonly settle: (lived: LivedOrder, kind: 'deliver' | 'refund', nowMs?: number) => Promise<void>
  /** One round of destruction at a time of the wall clock, and of the chain's if that is another. */
  readonly destroyAt: (nowMs: number, chainMs?: number) => Promise<void>
}

const randomAddress = () => addressFromBytes(new Uint8Array(randomBytes(32)))
const signature = () => randomBytes(64).toString('base64url')

export async function beginLife(database: Database): Promise<Life> {
  await migrate(database)
  const clock = new HandClock(NOW_MS)
  const keyFolder = await mkdtemp(join(tmpdir(), 'sotto-life-'))
  const secrets = openFileSecrets(keyFolder, systemRandom)
  const store = createSettlementStore(database, secrets, { clock, notify: () => undefined })
  const logLines: string[] = []
  const log = pinoLog('info', { write: (line) => void logLines.push(line) })
  await store.openCursor(PROGRAM, new Uint8Array(32), NOW_MS)
  const fees = { serviceBps: 0, networkFeeExists: 0n, networkFeeCreated: 0n, inputMax: 9n }
  const names = { mint: NATIVE_MINT, symbol: 'SOL', name: 'SOL', decimals: 9 }
  await tryInsertAsset(database, { ...names, ...fees, kind: 'native', isSwappable: true }, NOW_MS)
  await addAccounts(database)
  const worker = beginTelling({ database, secrets, log, clock })
  let leaves = 0
  return {
    ...{ database, store, secrets, keyFolder, logLines },
    deposit: async (accountId = 'acme') => {
      leaves += 1
      const lived = await deposit({ database, store, secrets }, leaves - 1, accountId)
      await worker.look()
      return lived
    },
    settle: async (lived, kind, nowMs = NOW_MS) => {
      await settle({ store, secrets }, lived, kind, nowMs)
      await worker.look()
      log.event(kind === 'deliver' ? 'delivered' : 'refunded')
    },
    destroyAt: (nowMs, chainMs = nowMs) => {
      const unixSeconds = BigInt(Math.floor(chainMs / 1_000))
      const readCursor = async () => ({ ...(await store.readCursor()), unixSeconds })
      const clock = { nowMs: () => nowMs, sleep: async () => undefined }
      const settings = { retentionMs: RETENTION_MS, workerId: 'life', leaseMs: LEASE_MS }
      return destroyEpochs({
        ...{ secrets, clock, log, ...settings },
        store: { ...store, readCursor },
      })
    },
  }
}

type Parts = Pick<Life, 'database' | 'store' | 'secrets'>

function newOrder(keys: EpochSecrets, recipient: Address, accountId: string): NewOrder {
  const id = new Uint8Array(randomBytes(16))
  // Its length varies, as those of real answers do.
  const answer = randomBytes(1_000 + systemRandom.below(900)).toString('base64')
  const terms = { recipient, accountExisted: true, minDelaySeconds: 5, maxDelaySeconds: 60 }
  return {
    id,
    ...{ accountId, idempotencyKey: undefined, reference: undefined, epoch: EPOCH },
    quoteNonce: new Uint8Array(randomBytes(16)),
    fingerprint: keys.fingerprint(id),
    ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, sender: randomAddress() },
    ...{ amountIn: 1_000_000n, amountOut: 990_000n, fee: 10_000n, partnerFee: 0n },
    ...{ partnerAccount: undefined, deadline: DEADLINE, validUntil: DEADLINE, expiry: EXPIRY },
    inner: innerCommitment(poseidonLite, keys.noteKey(id), recipient),
    payload: keys.sealRecipient(id, recipient),
    lastValidBlockHeight: 9n,
    sealedTerms: keys.seal(id, 'terms', encodeTerms(terms)),
    sealedResponse: keys.seal(id, 'response', new TextEncoder().encode(answer)),
    createdAtMs: NOW_MS,
  }
}

async function deposit(parts: Parts, leafIndex: number, accountId: string): Promise<LivedOrder> {
  const { database, store, secrets } = parts
  const keys = await secrets.forNewOrder(EPOCH)
  const recipient = randomAddress()
  const order = newOrder(keys, recipient, accountId)
  await sqlOrderStore(database, secrets).tryCreate(order, undefined)
  const { lastSignature: from } = await store.readCursor()
  const slot = BigInt(leafIndex + 1)
  const note = { ...order, mint: NATIVE_MINT, feeBack: amount(order.fee) }
  const leaf = leafOf(poseidonLite, {
    ...note,
    amountOut: amount(order.amountOut),
    expiry: EXPIRY,
  })
  const depositSignature = signature()
  const at = { orderId: order.id, slot, unixSeconds: DEADLINE - 100n, leafIndex }
  const plan = encodePlan({ deliverAtMs: NOW_MS + systemRandom.below(60_000) })
  const sealedPlan = keys.seal(order.id, 'plan', plan)
  await store.tryRecord(
    {
      ...{ from, lastSignature: depositSignature, isRescan: false, keep: 0, disowned: [] },
      head: { slot, blockHeight: slot, unixSeconds: at.unixSeconds, nextLeaf: slot },
      leaves: [{ index: leafIndex, leaf, orderId: order.id, slot }],
      deposits: [{ ...at, signature: depositSignature, sealedPlan, adopted: undefined }],
    },
    NOW_MS,
  )
  const nullifier = nullifierOf(poseidonLite, keys.noteKey(order.id), BigInt(leafIndex))
  const settlementSignature = signature()
  return { order, recipient, depositSignature, settlementSignature, nullifier, leafIndex }
}

async function settle(
  { store, secrets }: Pick<Parts, 'store' | 'secrets'>,
  { order, recipient, settlementSignature, nullifier }: LivedOrder,
  kind: 'deliver' | 'refund',
  nowMs: number,
): Promise<void> {
  const open = await store.listOpen()
  const found = open.find(({ orderId }) => Buffer.compare(orderId, order.id) === 0)
  const lease = await store.tryClaim(order.id, 'worker', nowMs, nowMs + LEASE_MS)
  if (found === undefined || lease === undefined) throw new Error('the order is not free')
  const keys = (await secrets.read(found.epoch))!
  if (kind === 'refund') await store.tryBeginRefund(lease, found.sealedPlan, nowMs)
  const wire = randomBytes(700 + systemRandom.below(400)).toString('base64')
  const record = { signature: settlementSignature, wire, nullifier: nullifier.toString(16) }
  const clear = new TextEncoder().encode(JSON.stringify({ ...record, recipient }))
  const attempt = { kind, sealed: keys.seal(order.id, 'attempt', clear) } as const
  if (!(await store.tryJournal(lease, attempt))) throw new Error('the attempt was refused')
  await store.release(lease)
  const facts = { signature: settlementSignature, slot: 7n, unixSeconds: 8n, assetId: NATIVE_MINT }
  const isRefund = kind === 'refund'
  const outcome = encodeOutcome({
    ...{ ...facts, amount: amount(order.amountOut), kind: isRefund ? 'refund' : 'delivery' },
    ...(isRefund ? { reason: 'not_delivered_in_time' as const } : {}),
  })
  const done = {
    orderId: order.id,
    to: isRefund ? 'refunded' : 'delivered',
    sealedOutcome: keys.seal(order.id, 'outcome', outcome),
    attempt: { number: 1, hasLanded: true },
  } as const
  if (!(await store.tryComplete(done, nowMs))) throw new Error('the order was not completed')
}

/** The recipient's address bytes as a dump would show them. */
export const hexOfAddress = (address: Address) => Buffer.from(addressBytes(address)).toString('hex')
