import type { QuoteRequest } from '@sotto/contract'
import {
  changeNkOf,
  leafOfNote,
  leftOf,
  amount,
  NATIVE_MINT,
  ownerOf,
  packOwner,
  paymentMessage,
  signPayment,
  unixSeconds,
  type Address,
  type OwnerSignature,
  type Point,
} from '@sotto/protocol'
import { DOMAIN } from '../chain/domain.ts'
import { tokenKey, type Ledger } from '../chain/ledger.ts'
import { quickHash } from '../chain/quick-hash.ts'
import {
  isPaymentOf,
  spentNotes,
  type SignedPayment,
  type SpentNote,
} from '../chain/spent-notes.ts'
import type { Commitment } from '../chain/fake-chain.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import type { Api } from './api.ts'
import type { Client, Manner } from './client.ts'
import type { PlacedOrder } from './placed-order.ts'
import { DOLLAR_MINT, drawAddress, SENDER_DOLLARS, SENDER_LAMPORTS } from './setting.ts'
import type { Stage } from './stage.ts'

/** The ways in which owners pay the deposit of a balance. */
const DEPOSITS = ['honest', 'honest', 'honest', 'late', 'refreshes', 'retries'] as const

/**
 * Long balances live for a day, the shortest life that the HTTP interface allows. The run's faults end long before
 * these balances end.
 */
const DAY_SECONDS = 86_400
/**
 * Lives of short balances, which end while faults last. The HTTP interface refuses such short lives, but the simulator
 * calls the service's use cases directly.
 */
const SHORT_SECONDS = [1_800, 3_000] as const

const PAYEES = 3
/** The share of long balances whose owners begin to pay on the next day. These payments postpone the balance's end. */
const MOVES_END = 0.4

/** The terms that an owner signs. */
export type PaymentTerms = Pick<SignedPayment, 'payer' | 'key' | 'payee' | 'payout' | 'fee'> & {
  readonly validUntil: bigint
}

const secretFrom = (random: SeededRandom): bigint =>
  quickHash([BigInt(random.below(2 ** 31)), BigInt(random.below(2 ** 31))])

interface OwnerKind {
  /** Another balance of the same owner. */
  readonly twin?: BalanceOwner
  readonly isVeteran?: boolean
}

/** A customer who opens a balance, and pays other wallets out of it. */
export class BalanceOwner implements Client {
  readonly stage: Stage
  readonly api: Api
  /** Another service with a separate database, if there is one. */
  readonly rival: Api | undefined
  readonly name: string
  readonly random: SeededRandom
  readonly manner: Manner
  readonly sender: Address
  readonly payees: readonly Address[]
  readonly request: QuoteRequest
  /** True if the service must return the rest at the balance's end; false if the owner must take the rest back. */
  readonly isReturned: boolean
  /** True if the balance's life is a day or longer. */
  readonly isLong: boolean
  readonly isStuck: boolean
  /** True if the owner begins to pay on the next day, so that the payments postpone the balance's end. */
  readonly movesEnd: boolean
  readonly signed: SignedPayment[] = []
  /** In a run without faults: the payments that must be made. Each is given by the hex digits of its order's id. */
  readonly due = new Set<string>()
  order: PlacedOrder | undefined
  /**
   * For each payment: the promise of the loop that polls its status. The promise resolves when the payment has ended.
   */
  readonly polls: Promise<void>[] = []
  /** True if every payment of the owner is final. */
  hasPaid = false
  /** Another balance of the same owner, ordered with the same request; undefined if the owner has one balance. */
  readonly twin: BalanceOwner | undefined
  /** True for a balance that was opened a month before the run: see `seatVeteran`. */
  readonly isVeteran: boolean
  /** The public key that signs the payments. */
  readonly key: Point
  readonly #secret: bigint

  constructor(
    stage: Stage,
    { api, rival }: { readonly api: Api; readonly rival: Api | undefined },
    name: string,
    random: SeededRandom,
    { twin, isVeteran = false }: OwnerKind = {},
  ) {
    this.stage = stage
    this.api = api
    this.rival = rival
    this.name = name
    this.random = random
    this.manner = random.pick(DEPOSITS)
    this.twin = twin
    this.isVeteran = isVeteran
    this.sender = twin?.sender ?? drawAddress(random)
    this.payees = twin?.payees ?? Array.from({ length: PAYEES }, () => drawAddress(random))
    // The service deletes an old balance if the owner must take the rest back. A veteran's balance must not be deleted,
    // so the service must return the rest of it.
    this.isReturned = isVeteran || (twin?.isReturned ?? random.chance(0.75))
    this.isLong = isVeteran || (twin?.isLong ?? random.chance(0.4))
    this.isStuck = this.isLong
    this.movesEnd = this.isLong && stage.random.stream(`${name} moves its end`).chance(MOVES_END)
    this.#secret = twin === undefined ? secretFrom(random) : twin.#secret
    this.key = twin?.key ?? ownerOf(this.#secret)
    this.request = twin?.request ?? this.#draw(stage.parties.partner)
  }

  #draw(partner: Address): QuoteRequest {
    const { random, sender } = this
    const mint = random.pick([NATIVE_MINT, DOLLAR_MINT])
    const unit = mint === NATIVE_MINT ? 10_000n : 1_000n
    const sum = unit * BigInt(random.between(20_000, 90_000))
    const share = random.chance(0.3) ? { feeBps: 100, feeRecipientAddress: partner } : {}
    return {
      ...{ amount: `${sum}`, sourceAssetId: mint, destinationAssetId: mint },
      ...{ senderAddress: sender, recipientAddress: sender, ...share },
      balanceKey: Buffer.from(packOwner(this.key)).toString('hex'),
      balanceSeconds: this.isLong ? DAY_SECONDS : random.pick(SHORT_SECONDS),
      autoReturn: this.isReturned,
    }
  }

  fund(ledger: Ledger, position: number): void {
    ledger.lamports.write(this.sender, position, SENDER_LAMPORTS)
    const dollars = { balance: SENDER_DOLLARS, isBlocked: false }
    ledger.tokens.write(tokenKey(DOLLAR_MINT, this.sender), position, dollars)
    // The first payee has an account. A payment to any other payee creates the payee's account.
    const [first] = this.payees
    if (first === undefined) return
    ledger.lamports.write(first, position, 1_000_000n)
    const empty = { balance: 0n, isBlocked: false }
    ledger.tokens.write(tokenKey(DOLLAR_MINT, first), position, empty)
  }

  /**
   * The balance's newest note in the newest confirmed or finalized block; undefined before the deposit. It is read from
   * the simulated chain directly, because the owner's own node never fails.
   */
  newest(commitment: Commitment): SpentNote | undefined {
    const { ledger } = this.stage.chain
    return spentNotes(ledger, this, this.stage.chain.blockAt(commitment).position).at(-1)
  }

  /**
   * Signs a payment, and records it in `signed`. `changeNk` is the secret of the payment's change. By default it is
   * the secret that clients derive.
   */
  sign(
    { note, nullifier }: SpentNote,
    terms: PaymentTerms,
    changeNk = changeNkOf(quickHash, this.#secret, nullifier),
  ): { readonly payment: SignedPayment; readonly signature: OwnerSignature } {
    const { payee, payout, fee, validUntil } = terms
    const end = unixSeconds(validUntil)
    const value = amount(note.value - payout - fee)
    const left = leftOf(note, { nk: changeNk, value, validUntil: end })
    const changeLeaf = leafOfNote(quickHash, DOMAIN, left)
    const message = paymentMessage(quickHash, {
      ...{ nullifier, payee, payout: amount(payout), fee: amount(fee), changeLeaf },
      validUntil: end,
    })
    const payment = { ...terms, nullifier, changeNk, changeLeaf }
    this.signed.push(payment)
    return { payment, signature: signPayment(quickHash, this.#secret, message) }
  }

  /** True if this note is spent, or if the signatures of all payments out of it have expired. */
  isDecided({ nullifier, spentBy }: SpentNote): boolean {
    if (spentBy !== undefined) return true
    const { unixSeconds: clock } = this.stage.chain.blockAt('finalized')
    return this.signed.every((one) => one.nullifier !== nullifier || one.validUntil < clock)
  }

  /**
   * The number of this balance's settlements that the owner made without the service. These are the landed settlements
   * that match no payment by the service. A payment that expired at the service can't be a match, because the service
   * had no signature for it.
   */
  countForeign(hasExpired: (key: string) => boolean): number {
    const { ledger } = this.stage.chain
    const own = this.signed.filter(({ payer, key = '' }) => payer === 'service' && !hasExpired(key))
    return spentNotes(ledger, this, Infinity).filter(
      ({ spentBy }) => spentBy !== undefined && !own.some((one) => isPaymentOf(spentBy, one)),
    ).length
  }
}
