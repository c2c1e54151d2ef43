import type { CreateOrderRequest } from '@sotto/contract'
import {
  amount,
  innerCommitment,
  leafOfNote,
  nullifierOf,
  unixSeconds,
  type Note,
} from '@sotto/protocol'
import { hourOfEpoch } from '../../packages/server/src/domain/epoch.ts'
import { encodePlan, encodeTerms } from '../../packages/server/src/domain/order-secrets.ts'
import { encodeTrackingId } from '../../packages/server/src/domain/tracking-id.ts'
import { wholeNumber } from '../../packages/server/src/domain/whole-number.ts'
import { DOMAIN } from '../chain/domain.ts'
import { HOUR_SECONDS, type Ledger } from '../chain/ledger.ts'
import { debit } from '../chain/money.ts'
import { quickHash } from '../chain/quick-hash.ts'
import { hex, type Message } from '../chain/transaction.ts'
import { newSettlement } from '../store/delivery-side.ts'
import { keyOf, type MemoryOrder } from '../store/memory-database.ts'
import type { BalanceOwner } from './balance-owner.ts'
import { ACCOUNT, DELAYS, START_MS } from './setting.ts'

const NOTHING = new Uint8Array(0)
const NOTHING_PAID = amount(0n)
const DAY_SECONDS = 86_400n
/**
 * A veteran's balance lives for this time. It is long enough for the service to replace the balance's key while faults
 * last. It is short enough to end within the days that every run simulates.
 */
const LIFE_SECONDS = 2n * DAY_SECONDS
const ORDERED_SECONDS = 600n

/** Two notes of a balance. The deposit made the first note, and the last payment left the newest note. */
interface Notes {
  readonly first: Note
  readonly newest: Note
}

/**
 * Puts an old balance into the chain and the database. The balance was opened in the hour `epoch`, a month before the
 * run. Payments have postponed the balance's end since then. `owner.signed` doesn't contain these payments, so the
 * run's checks know only the newest note. The owner made the last payment on the day of the run. The service must soon
 * replace the key of `epoch`.
 */
export function seatVeteran(
  owner: BalanceOwner,
  epoch: number,
  ledger: Ledger,
  position: number,
): void {
  const { stage, random } = owner
  const orderId = random.bytes(16)
  const notes = notesOf(owner, epoch, orderId)
  const { newest } = notes
  const key = hex(orderId)
  const row = rowOf(owner, epoch, orderId, notes)
  const openedAt = unixSeconds(BigInt(hourOfEpoch(epoch)) * HOUR_SECONDS)
  const wallet = owner.sender
  debit(ledger, position, { mint: newest.mint, wallet, amount: newest.value })
  const book = ledger.assetOf(newest.mint, position)
  const [held, owed] = [book.held + newest.value, book.owed + newest.value]
  ledger.assets.write(newest.mint, position, { ...book, held, owed })
  ledger.append({ position, unixSeconds: openedAt, leaf: row.leaf })
  const newestLeaf = leafOfNote(quickHash, DOMAIN, newest)
  ledger.append({ position, unixSeconds: newest.deadline, leaf: newestLeaf, orderKey: key })
  // The order's account was closed long before the run.
  ledger.orders.write(key, position, null)
  const terms = { ...row, orderId, partnerAccount: undefined }
  const { chain, signatures, parties, memory } = stage
  // Records transactions for the tree's history. A worker may have to read every leaf from this history.
  for (const message of [{ kind: 'deposit', terms } as const, lastPayment(notes, newestLeaf)]) {
    ledger.record({
      // The attacker's wallet pays the fees, so they don't change the sender's balance.
      transaction: signatures.sign(parties.attacker, message, chain.newest),
      ...{ position, slot: 0, unixSeconds: openedAt, failure: undefined },
      ...{ paid: 0n, hasOpened: false },
    })
  }
  const { database } = memory
  database.orders.set(key, row)
  database.paymentsLanded = 1
  database.replaceLeaves(0, [row.leaf, newestLeaf])
  database.cursor = {
    ...{ program: parties.program, domain: keyOf(parties.domain), nextLeaf: 2n, slot: 1n },
    ...{ halted: undefined, followedAtMs: undefined, blockHeight: 0n, unixSeconds: openedAt },
  }
  owner.order = {
    ...{ trackingId: encodeTrackingId(orderId), key, transaction: '', note: newest },
    ...{ terms: {} as CreateOrderRequest, answeredAt: openedAt },
  }
}

/** A settlement with payout 0 that left the newest note as its change. */
const lastPayment = ({ first, newest }: Notes, changeLeaf: bigint): Message => ({
  kind: 'settle',
  mint: newest.mint,
  opensAccount: false,
  settlement: {
    ...{ isRefund: false, payee: newest.sender, time: newest.deadline, changeLeaf },
    root: { kind: 'recent', index: 0 },
    nullifier: nullifierOf(quickHash, first.nk, 0n),
    ...{ payout: NOTHING_PAID, fee: NOTHING_PAID, proof: NOTHING },
  },
})

function notesOf(
  { stage, request, key, sender }: BalanceOwner,
  epoch: number,
  orderId: Uint8Array,
) {
  const deadline = unixSeconds(BigInt(hourOfEpoch(epoch)) * HOUR_SECONDS + ORDERED_SECONDS)
  const first: Note = {
    nk: stage.keystore.keyOf(epoch).noteKey(orderId),
    ...{ claim: { kind: 'balance', owner: key }, sender, mint: request.sourceAssetId },
    value: amount(BigInt(request.amount)),
    ...{ deadline, expiry: unixSeconds(deadline + LIFE_SECONDS) },
  } as Note
  const start = BigInt(START_MS / 1_000)
  const today = unixSeconds(start - (start % DAY_SECONDS))
  const expiry = unixSeconds(today + LIFE_SECONDS)
  return { first, newest: { ...first, nk: quickHash([first.nk]), deadline: today, expiry } }
}

function rowOf(
  { stage, random, request, sender }: BalanceOwner,
  epoch: number,
  orderId: Uint8Array,
  { first, newest }: Notes,
): MemoryOrder {
  const secrets = stage.keystore.keyOf(epoch)
  const openedAt = unixSeconds(first.deadline - ORDERED_SECONDS)
  const openedMs = wholeNumber(openedAt * 1_000n)
  const { mint, value, deadline, expiry } = first
  const left = { nk: newest.nk, value, deadline: newest.deadline, expiry: newest.expiry }
  const terms = encodeTerms({
    ...{ recipient: sender, owner: request.balanceKey, accountExisted: true },
    ...{ minDelaySeconds: DELAYS.minDelaySeconds, maxDelaySeconds: DELAYS.maxDelaySeconds },
  })
  const firstPlan = encodePlan({ deliverAtMs: openedMs })
  const newestPlan = encodePlan({ deliverAtMs: openedMs, note: { ...left, leafIndex: 1 } })
  return {
    ...{ id: orderId, accountId: ACCOUNT.id, quoteNonce: random.bytes(16), epoch },
    ...{ idempotencyKey: undefined, fingerprint: NOTHING, reference: undefined },
    ...{ sourceMint: mint, destinationMint: mint, sender, partnerAccount: undefined },
    ...{ amountIn: value, value, amountOut: value, partnerFee: NOTHING_PAID },
    ...{ deadline, validUntil: deadline, expiry, payload: new Uint8Array(65) },
    inner: innerCommitment(quickHash, first),
    leaf: leafOfNote(quickHash, DOMAIN, first),
    ...{ lastValidBlockHeight: 0n, createdAtMs: openedMs, updatedAtMs: openedMs },
    ...{ sealedTerms: secrets.seal(orderId, 'terms', terms), sealedResponse: NOTHING },
    status: 'deposited',
    ...{ sealEpoch: undefined, isDepositSeen: true, leafIndex: 0 },
    deposit: { unixSeconds: openedAt, signature: 'a month ago', slot: 0n },
    ...{ sealedPlan: secrets.seal(orderId, 'plan', firstPlan), finalHourMs: undefined },
    settlement: {
      ...newSettlement('deposited'),
      sealedPlan: secrets.seal(orderId, 'plan', newestPlan),
    },
  }
}
