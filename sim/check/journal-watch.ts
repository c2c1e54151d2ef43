import {
  CHECKPOINTS,
  LANDING_SECONDS,
  STEP_MAX,
  unitPriceOf,
  type Settlement,
} from '@sotto/protocol'
import { decodePlan } from '../../packages/server/src/domain/order-secrets.ts'
import { PROVING_SECONDS } from '../../packages/server/src/settlement/pay/next-step.ts'
import type { Lease } from '../../packages/server/src/ports/settlement-store.ts'
import { signatureIn } from '../chain/fake-signatures.ts'
import { HOUR_SECONDS } from '../chain/ledger.ts'
import { PRICES } from '../actors/setting.ts'
import { priorityOf, unitPriceIn, type Transaction } from '../chain/transaction.ts'
import type { Life } from '../run/life.ts'
import { unsealed } from '../run/keystore.ts'
import { areClocksTrue, type Evidence } from './evidence.ts'
import { notesOf, truthOf } from './notes.ts'
import type { Fail } from './verdict.ts'

const decoder = new TextDecoder()

/** The price must rise after each failed attempt, until an order has this many attempts. */
const RAISES_MAX = 12

const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
const placeOf = (life: Life, nullifier: bigint): string => `${life.name} ${nullifier}`

/**
 * Invariant I7: workers sign an attempt, journal it, and then broadcast it. An order has only one live attempt, and
 * only the worker with the newest lease writes.
 */
export class JournalWatch {
  readonly #evidence: Evidence
  /** The fence of each order's newest lease. A fence is a number that grows with each lease of the order. */
  readonly #fences = new Map<string, bigint>()
  /** The journalled attempts of each order. */
  readonly #attempts = new Map<string, Transaction[]>()
  readonly #journalled = new Set<string>()
  /** For each order: the database's `priceReadings` when the order's last attempt was journalled. */
  readonly #readings = new Map<string, number>()
  readonly #plans = new Map<string, number>()
  /**
   * For each worker and note: the slot of the note's settlement. The slot is recorded only if the settlement was
   * already final when the worker claimed the note's order.
   */
  readonly #settled = new Map<string, bigint>()
  /**
   * For each worker and note: the oldest slot for which a node reported the note's state to the worker. Reports before
   * the worker's claim of the order don't count.
   */
  readonly #asked = new Map<string, bigint>()

  constructor(evidence: Evidence) {
    this.#evidence = evidence
  }

  claimed(lease: Lease | undefined, life: Life, fail: Fail): void {
    if (lease === undefined) return
    const key = keyOf(lease.orderId)
    const newest = this.#fences.get(key) ?? 0n
    if (lease.fence <= newest) fail('every lease has its own fence', key)
    this.#fences.set(key, lease.fence)
    const { position } = this.#evidence.chain.blockAt('finalized')
    const note = notesOf(this.#evidence).get(key)
    for (const { transaction, slot } of truthOf(this.#evidence, key, note, position).settlements) {
      const { message } = transaction
      if (message.kind !== 'settle') continue
      const place = placeOf(life, message.settlement.nullifier)
      this.#settled.set(place, BigInt(slot))
      this.#asked.delete(place)
    }
  }

  /** Records that a node reported to a worker which of these notes are settled, as of a finalized slot. */
  nullifiersRead(nullifiers: readonly bigint[], slot: bigint, life: Life): void {
    for (const nullifier of nullifiers) {
      const place = placeOf(life, nullifier)
      const oldest = this.#asked.get(place)
      if (oldest === undefined || slot < oldest) this.#asked.set(place, slot)
    }
  }

  written(lease: Lease, fail: Fail): void {
    const key = keyOf(lease.orderId)
    if (this.#fences.get(key) !== lease.fence) fail('only the newest lease writes', key)
  }

  /**
   * Records how much earlier than planned the attempt is. Must be called before the write, because the write may change
   * the plan. If an order's planned time is too near to its expiry, the order is paid at once. The planned time can be
   * so late if the plan was made while the chain's clock lagged.
   */
  beforeJournal(orderId: Uint8Array, life: Life): void {
    const { database } = this.#evidence.memory
    const order = database.order(orderId) ?? database.payment(orderId)
    const sealed = order?.settlement?.sealedPlan ?? order?.sealedPlan
    if (sealed === undefined || sealed.length === 0) return
    const earlyMs = decodePlan(unsealed(sealed)).deliverAtMs - life.nowMs()
    const expiry = database.order(orderId)?.expiry
    const { unixSeconds } = this.#evidence.chain.newest
    const isNearExpiry =
      expiry !== undefined &&
      BigInt(earlyMs) > (expiry - PROVING_SECONDS - LANDING_SECONDS - unixSeconds) * 1_000n
    this.#plans.set(keyOf(orderId), isNearExpiry ? 0 : earlyMs)
  }

  journalled(lease: Lease, attempt: { readonly sealed: Uint8Array }, life: Life, fail: Fail): void {
    this.written(lease, fail)
    const key = keyOf(lease.orderId)
    // If clocks disagree by hours, a worker may pay an order before its drawn time. So this check runs only if all
    // clocks were correct.
    if (areClocksTrue(this.#evidence) && (this.#plans.get(key) ?? 0) > 0)
      fail('no order is paid before its drawn time', life.name)
    const transaction = this.#attemptIn(attempt.sealed)
    const before = this.#attempts.get(key) ?? []
    for (const one of before) this.#assertDead(one, fail)
    this.#assertPaidMore(key, before, transaction, fail)
    this.#attempts.set(key, [...before, transaction])
    this.#journalled.add(transaction.signature)
  }

  /**
   * If an attempt didn't land, the next attempt must offer a higher price, up to the limit. The rule doesn't apply if
   * the service has computed the price from recent prices since the last attempt.
   */
  #assertPaidMore(
    key: string,
    before: readonly Transaction[],
    attempt: Transaction,
    fail: Fail,
  ): void {
    const { memory, chain } = this.#evidence
    const { priceReadings } = memory.database
    const isSame = this.#readings.get(key) === priceReadings
    this.#readings.set(key, priceReadings)
    const last = before.at(-1)
    const [then, now] = [last && unitPriceIn(last), unitPriceIn(attempt)]
    if (last === undefined || then === undefined || now === undefined || !isSame) return
    // A node may have reported a height that the chain hadn't reached. Then the worker may wrongly believe that the
    // last attempt is dead.
    if (chain.reportedHeights.canDeceive(last.lastValidHeight)) return
    if (this.#wasInBlock(last.signature) || before.length > RAISES_MAX) return
    // If all attempts of an order together may have cost the maximum, the order's price stops rising.
    if (before.reduce((sum, one) => sum + priorityOf(one), 0n) >= PRICES.orderMax) return
    if (then < unitPriceOf(STEP_MAX) && now <= then)
      fail('an attempt offers more than an attempt that did not land', attempt.signature)
  }

  #wasInBlock(signature: string): boolean {
    return this.#evidence.chain.ledger.landed.some(
      ({ transaction }) => transaction.signature === signature,
    )
  }

  broadcast(wire: Uint8Array, fail: Fail): void {
    const signature = signatureIn(wire)
    if (!this.#journalled.has(signature))
      fail('I7: an attempt is journalled before it is broadcast', signature)
  }

  /**
   * Checks that a settlement uses a checkpoint only after the checkpoint's hour has ended. Also checks that it doesn't
   * settle a note for the second time.
   */
  proved(settlement: Settlement, life: Life, fail: Fail): void {
    const { chain } = this.#evidence
    const { unixSeconds } = chain.blockAt('finalized')
    const { root } = settlement
    const isOpenHour =
      root.kind === 'checkpoint' &&
      BigInt(root.index) === (unixSeconds / HOUR_SECONDS) % BigInt(CHECKPOINTS)
    if (isOpenHour) fail('a proof uses a checkpoint only after its hour has ended', life.name)
    const place = placeOf(life, settlement.nullifier)
    const settledAt = this.#settled.get(place)
    if (settledAt === undefined) return
    const asked = this.#asked.get(place)
    // The worker's node lagged, so it couldn't show the first settlement. The program refuses a second settlement.
    if (asked !== undefined && asked < settledAt) return
    fail('no worker pays a note that was already settled at the claim', life.name)
  }

  /** The newest journalled transaction of an order; undefined if there is none. */
  newestOf(orderId: Uint8Array): Transaction | undefined {
    return this.#attempts.get(keyOf(orderId))?.at(-1)
  }

  /** The live attempt with this number; undefined if there is none. */
  attemptOf(orderId: Uint8Array, number: number): Transaction | undefined {
    const { database } = this.#evidence.memory
    const row = database.order(orderId) ?? database.payment(orderId)
    const attempts = row?.settlement?.attempts ?? []
    const live = attempts.find((one) => one.number === number && one.state === 'live')
    return live && this.#attemptIn(live.sealed)
  }

  /** Checks an attempt that a worker has declared dead: it must not be able to land any more. */
  declaredDead(attempt: Transaction | undefined, fail: Fail): void {
    if (attempt !== undefined) this.#assertDead(attempt, fail)
  }

  /** Called when another settlement ended the order. Checks that the live attempt hasn't landed too. */
  overtaken(attempt: Transaction | undefined, fail: Fail): void {
    if (attempt !== undefined && this.#hasPaid(attempt.signature)) {
      fail('I7: no dead attempt is on the chain', attempt.signature)
    }
  }

  #attemptIn(sealed: Uint8Array): Transaction {
    const record = JSON.parse(decoder.decode(unsealed(sealed))) as {
      readonly signature: string
    }
    return this.#evidence.signatures.read(record.signature)
  }

  /**
   * Checks that a dead attempt can't land. The check is skipped if a node reported a height that the chain hadn't
   * reached. Then a worker may wrongly declare an attempt dead, and only the Nullifier prevents a second payment.
   */
  #assertDead({ signature, lastValidHeight }: Transaction, fail: Fail): void {
    const { chain } = this.#evidence
    if (chain.reportedHeights.canDeceive(lastValidHeight)) return
    const { height } = chain.blockAt('finalized')
    if (height <= lastValidHeight)
      fail('I7: an order has only one live attempt', `${signature} can still land`)
    if (this.#hasPaid(signature)) fail('I7: no dead attempt is on the chain', signature)
  }

  #hasPaid(signature: string): boolean {
    return this.#evidence.chain.ledger.landed.some(
      ({ transaction, failure }) => transaction.signature === signature && failure === undefined,
    )
  }
}
