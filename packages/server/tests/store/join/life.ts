import {
  addressBytes,
  addressFromBytes,
  amount,
  changeOf,
  innerCommitment,
  leafOfNote,
  NATIVE_MINT,
  nullifierOf,
  parseWhole,
  unixSeconds,
  type Address,
  type Note,
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
import { noteOf } from '../../../src/domain/note-of.ts'
import { encodeOutcome, encodePlan, encodeTerms } from '../../../src/domain/order-secrets.ts'
import { tryInsertAsset } from '../../../src/operator/asset/asset-row.ts'
import type { NewOrder } from '../../../src/ports/order-store.ts'
import type { EpochSecrets, Secrets } from '../../../src/ports/secrets.ts'
import type { RecordedDeposit, SettlementStore } from '../../../src/ports/settlement-store.ts'
import { NoteOpener } from '../../../src/settlement/notes/open-note.ts'
import type { DestroyDependencies } from '../../../src/settlement/upkeep/destroy-dependencies.ts'
import { epochDestroyer } from '../../../src/settlement/upkeep/destroy-epochs.ts'
import { PROGRAM } from '../../settlement/stack/localnet-process.ts'
import { HandClock } from '../../webhooks/hand-clock.ts'
import { unsettledChain } from '../unsettled-chain.ts'
import { addAccounts, beginTelling, type AccountId } from './telling.ts'

export { EPOCH_MS }
export const EPOCH = 500_000
export const NOW_MS = EPOCH * EPOCH_MS + 600_000
export const DEADLINE = unixSeconds(BigInt(NOW_MS / 1_000) + 1_800n)
export const EXPIRY = unixSeconds(DEADLINE + 4_200n)
export const DOMAIN = new Uint8Array(32)
export const RETENTION_MS = 24 * EPOCH_MS
const LEASE_MS = 8_000
const SHOWN = { mint: NATIVE_MINT, unixSeconds: unixSeconds(8n) }

/** An order as the service would store it, with the data that only the service and its user know. */
export interface LivedOrder {
  readonly order: NewOrder
  readonly recipient: Address
  readonly depositSignature: string
  readonly settlementSignature: string
  readonly nullifier: bigint
  readonly leafIndex: number
  /** The leaf that the order's settlement appends. */
  readonly changeLeaf: bigint
}

/** A service's stores with their own database, and with a keystore in its own folder. */
export interface Life {
  readonly database: Database
  readonly store: SettlementStore
  readonly secrets: Secrets
  readonly keyFolder: string
  readonly logLines: string[]
  /** Stores an order and records its deposit, each in a separate transaction. */
  readonly deposit: (accountId?: AccountId, epoch?: number) => Promise<LivedOrder>
  /** Claims, journals and completes an order, delivered or refunded. */
  readonly settle: (lived: LivedOrder, kind: 'deliver' | 'refund', nowMs?: number) => Promise<void>
  /** Appends a leaf that no order explains. */
  readonly appendUnknown: () => Promise<void>
  /**
   * One entry for each call of `destroyOnceAt` or `destroyAt`: the time that the call's last round reported, in
   * milliseconds since 1970. All keys that were due before this time are destroyed.
   */
  readonly keysDestroyedUntil: number[]
  /**
   * Runs one round of destruction at a time of the wall clock. The chain's time may differ, and two nodes may confirm
   * the tree only up to an earlier time. All times are in milliseconds since 1970. `moreLeaves`: the number of leaves
   * that the tree has in addition to the database's leaves.
   */
  readonly destroyOnceAt: (
    nowMs: number,
    chainMs?: number,
    confirmedMs?: number,
    moreLeaves?: number,
  ) => Promise<void>
  /** Runs two rounds that are two minutes apart, because two counts must find an epoch complete. */
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
  const keysDestroyedUntil: number[] = []
  const log = pinoLog('info', { write: (line) => void logLines.push(line) })
  await store.openCursor(PROGRAM, DOMAIN, NOW_MS)
  await store.recordBooks(true, NOW_MS)
  const fees = {
    serviceBps: 0,
    networkFeeExists: amount(0n),
    networkFeeCreated: amount(0n),
    inputMax: amount(9n),
  }
  const names = { mint: NATIVE_MINT, symbol: 'SOL', name: 'SOL', decimals: 9 }
  await tryInsertAsset(database, { ...names, ...fees, kind: 'native', isSwappable: true }, NOW_MS)
  await addAccounts(database)
  const worker = beginTelling({ database, secrets, log, clock })
  const destroyOnceAt = destroyerOf({ secrets, log, store }, (atMs) => {
    keysDestroyedUntil.push(atMs)
  })
  return {
    ...{ database, store, secrets, keyFolder, logLines, keysDestroyedUntil },
    deposit: async (accountId = 'acme', epoch = EPOCH) => {
      const lived = await deposit({ database, store, secrets }, accountId, epoch)
      await worker.look()
      return lived
    },
    settle: async (lived, kind, nowMs = NOW_MS) => {
      await settle({ store, secrets }, lived, kind, nowMs)
      await worker.look()
      log.event(kind === 'deliver' ? 'delivered' : 'refunded')
    },
    appendUnknown: async () =>
      void (await append(store, BigInt(`0x${randomBytes(31).toString('hex')}`))),
    destroyOnceAt,
    destroyAt: async (nowMs, chainMs = nowMs) => {
      await destroyOnceAt(nowMs, chainMs)
      keysDestroyedUntil.pop()
      await destroyOnceAt(nowMs, chainMs + 120_000)
    },
  }
}

function destroyerOf(
  { secrets, log, store }: Pick<DestroyDependencies, 'secrets' | 'log' | 'store'>,
  keysDestroyedUntil: (atMs: number) => void,
): Life['destroyOnceAt'] {
  const times = { nowMs: 0, chainMs: 0, confirmedMs: 0 }
  const tree = { size: 0 }
  const secondsOf = (ms: number) => unixSeconds(BigInt(Math.floor(ms / 1_000)))
  const readCursor = async () => ({
    ...(await store.readCursor()),
    unixSeconds: secondsOf(times.chainMs),
  })
  const followed = { ...store, readCursor }
  const opener = new NoteOpener({ secrets, poseidon: poseidonLite, pool: { domain: DOMAIN }, log })
  const round = epochDestroyer({
    ...{ secrets, log, opener, random: systemRandom, chain: unsettledChain },
    ...{ retentionMs: RETENTION_MS, workerId: 'life', leaseMs: LEASE_MS },
    clock: { nowMs: () => times.nowMs, sleep: async () => undefined },
    store: followed,
    gauges: { keysDestroyedUntil },
    tree,
    witness: { confirmed: () => secondsOf(times.confirmedMs) },
  })
  return async (nowMs, chainMs = nowMs, confirmedMs = chainMs, moreLeaves = 0) => {
    // Tests replace functions of the store between rounds.
    Object.assign(followed, store, { readCursor })
    Object.assign(times, { nowMs, chainMs, confirmedMs })
    tree.size = (await store.readLedger()).leaves + moreLeaves
    return round()
  }
}

type Parts = Pick<Life, 'database' | 'store' | 'secrets'>

function drawOrder(keys: EpochSecrets, recipient: Address, accountId: string) {
  const id = new Uint8Array(randomBytes(16))
  const noteTerms = {
    ...{ sender: randomAddress(), destinationMint: NATIVE_MINT, value: amount(1_000_000n) },
    ...{ amountOut: amount(990_000n), deadline: DEADLINE, expiry: EXPIRY },
  }
  const note = noteOf(noteTerms, { nk: keys.noteKey(id), recipient })
  // The length varies, as the length of real responses does.
  const answer = randomBytes(1_000 + systemRandom.below(900)).toString('base64')
  const terms = { recipient, accountExisted: true, minDelaySeconds: 5, maxDelaySeconds: 60 }
  const order: NewOrder = {
    id,
    ...{ accountId, idempotencyKey: undefined, reference: undefined, epoch: keys.epoch },
    quoteNonce: new Uint8Array(randomBytes(16)),
    fingerprint: keys.fingerprint(id),
    ...{ ...noteTerms, sourceMint: NATIVE_MINT, amountIn: amount(1_000_000n) },
    ...{ partnerFee: amount(0n), partnerAccount: undefined, validUntil: DEADLINE },
    inner: innerCommitment(poseidonLite, note),
    leaf: leafOfNote(poseidonLite, DOMAIN, note),
    payload: keys.sealPayload(id, {
      ...{ kind: 'transfer', recipient, amountOut: noteTerms.amountOut, expiry: EXPIRY },
    }),
    lastValidBlockHeight: 9n,
    sealedTerms: keys.seal(id, 'terms', encodeTerms(terms)),
    sealedResponse: keys.seal(id, 'response', new TextEncoder().encode(answer)),
    createdAtMs: NOW_MS,
  }
  return { order, note }
}

/** Records a step along the chain that appends one leaf. Returns the leaf's index. */
async function append(store: SettlementStore, leaf: bigint, deposit?: object): Promise<number> {
  const { nextLeaf: from, slot } = await store.readCursor()
  const leafIndex = parseWhole(`${from}`)
  const next = { slot: slot + 1n, blockHeight: slot + 1n, nextLeaf: from + 1n }
  const step = {
    ...{ from, keep: leafIndex, isRescan: false, leaves: [leaf] },
    head: { ...next, unixSeconds: unixSeconds(DEADLINE - 100n) },
    deposits: deposit === undefined ? [] : [{ ...deposit, leafIndex } as RecordedDeposit],
  }
  if (!(await store.tryRecord(step, NOW_MS))) throw new Error('the step was not recorded')
  return leafIndex
}

async function deposit(parts: Parts, accountId: string, epoch: number): Promise<LivedOrder> {
  const { database, store, secrets } = parts
  const keys = await secrets.forNewOrder(epoch)
  const recipient = randomAddress()
  const { order, note } = drawOrder(keys, recipient, accountId)
  const { id: orderId } = order
  await sqlOrderStore(database, secrets).tryCreate(order, undefined)
  const plan = encodePlan({ deliverAtMs: NOW_MS + systemRandom.below(60_000) })
  const sealedPlan = keys.seal(orderId, 'plan', plan)
  const leafIndex = await append(store, order.leaf, { orderId, sealedPlan })
  const depositSignature = signature()
  await store.recordLocated(orderId, {
    ...{
      signature: depositSignature,
      slot: BigInt(leafIndex),
      unixSeconds: unixSeconds(DEADLINE - 100n),
    },
  })
  const nullifier = nullifierOf(poseidonLite, note.nk, BigInt(leafIndex))
  const ends = { settlementSignature: signature(), changeLeaf: changeLeafOf(note, nullifier) }
  return { order, recipient, depositSignature, nullifier, leafIndex, ...ends }
}

function changeLeafOf(note: Note, nullifier: bigint): bigint {
  const rest = { nullifier, secret: note.nk, change: amount(0n), validUntil: undefined }
  const change = changeOf(poseidonLite, note, rest)
  return leafOfNote(poseidonLite, DOMAIN, change)
}

async function settle(
  { store, secrets }: Pick<Parts, 'store' | 'secrets'>,
  { order, recipient, settlementSignature, nullifier, changeLeaf }: LivedOrder,
  kind: 'deliver' | 'refund',
  nowMs: number,
): Promise<void> {
  const open = await store.listOpen()
  const found = open.find(({ orderId }) => Buffer.compare(orderId, order.id) === 0)
  const lease = await store.tryClaim(order.id, 'worker', nowMs, nowMs + LEASE_MS)
  if (found === undefined || lease === undefined) throw new Error('the order is not free')
  const keys = (await secrets.read(found.epoch))!
  if (kind === 'refund')
    await store.tryBeginRefund(lease, found.sealedPlan, found.sealedPlan, nowMs)
  const wire = randomBytes(700 + systemRandom.below(400)).toString('base64')
  const record = { signature: settlementSignature, wire, nullifier: nullifier.toString(16) }
  const clear = new TextEncoder().encode(JSON.stringify({ ...record, recipient }))
  const attempt = { kind, sealed: keys.seal(order.id, 'attempt', clear) } as const
  if (!(await store.tryJournal(lease, attempt))) throw new Error('the attempt was refused')
  await store.release(lease)
  const facts = {
    signature: settlementSignature,
    slot: 7n,
    unixSeconds: unixSeconds(8n),
    assetId: NATIVE_MINT,
  }
  const isRefund = kind === 'refund'
  const outcome = encodeOutcome({
    ...{ ...facts, kind: isRefund ? 'refund' : 'delivery' },
    amount: isRefund ? order.value : order.amountOut,
    ...(isRefund ? { reason: 'not_delivered_in_time' as const } : {}),
  })
  const done = {
    ...{ orderId: order.id, epoch: found.epoch },
    to: isRefund ? 'refunded' : 'delivered',
    sealedOutcome: keys.seal(order.id, 'outcome', outcome),
    attempt: { number: 1, hasLanded: true },
    shown: isRefund ? undefined : { ...SHOWN, gross: order.value, payee: recipient },
  } as const
  if (!(await store.tryComplete(done, nowMs))) throw new Error('the order was not completed')
  await append(store, changeLeaf)
}

/** The recipient's address bytes in the form in which a dump would show them. */
export const hexOfAddress = (address: Address) => Buffer.from(addressBytes(address)).toString('hex')
