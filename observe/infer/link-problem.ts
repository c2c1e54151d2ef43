import { otherPayees } from '../chain/failed-notes.ts'
import { grossOf, type SeenSettlement, type Sightings } from '../chain/sightings.ts'
import { amountModel, classOf, DEPOSIT_CLASSES, isRound } from './amounts.ts'
import { recentWallets, type RecentWallets } from './possible-crowds.ts'
import { readRecoveries, type Recoveries } from './recoveries.ts'
import { readReturnedRests, type ReturnedRests } from './returned-rests.ts'

/** A deposit from which a settlement may come. */
export interface Way {
  readonly deposit: number
  /** True if the settlement takes the whole value of the deposit. */
  readonly isWhole: boolean
}

/** A payment that isn't among the settlements, but whose wallet is known. An insider knows its own payments. */
export interface KnownPayment {
  readonly wallet: string
  readonly payee: string
}

/**
 * The data that stays constant while the sampler draws links. Deposits, settlements, senders and payees are identified
 * by numbers.
 */
export interface LinkProblem {
  readonly sightings: Sightings
  /** The settlements that aren't refunds. */
  readonly payments: readonly SeenSettlement[]
  /** For each payment, by its settlement's index: the deposits from which it may come. */
  readonly ways: readonly (readonly Way[])[]
  readonly gross: readonly bigint[]
  /** For each settlement: the logarithm of the chance that a payment out of a balance has the settlement's amount. */
  readonly amountChance: readonly number[]
  /** For each deposit: the greatest amount that payments can have taken from it. */
  readonly spendable: readonly bigint[]
  /** For each deposit: the index of its class in `DEPOSIT_CLASSES`. */
  readonly depositClass: readonly number[]
  /**
   * For each deposit: the number of its sender. Deposits of one wallet have the same number. The other wallets that an
   * insider knows have numbers too.
   */
  readonly senderOf: readonly number[]
  readonly senders: number
  /** For each settlement: the number of its payee. */
  readonly payeeOf: readonly number[]
  /** For each settlement: its payee, and the payees whom failed settlements of the same note would have paid. */
  readonly payeesOf: readonly (readonly number[])[]
  /**
   * Pairs of a sender and a payee whom the sender certainly paid or wanted to pay. Either an insider knows the payment.
   * Or a failed settlement names the payee, and the refund of the same note names the sender.
   */
  readonly wanted: readonly { readonly sender: number; readonly payee: number }[]
  /** For each payee: the number of payments to it, including failed payments. */
  readonly paymentsTo: readonly number[]
  /** For each payee: the number of the sender with the same wallet; undefined if no sender has it. */
  readonly ownWallet: readonly (number | undefined)[]
  /** For each settlement: the wallets that made a deposit of the settlement's value shortly before. */
  readonly recent: readonly RecentWallets[]
  readonly rests: ReturnedRests
  readonly recoveries: Recoveries
  /**
   * True if the deposit can be a transfer that this settlement delivered: the settlement takes the whole value and pays
   * a fee, and no part of the deposit returned. If `settlement` is undefined, the transfer isn't delivered yet.
   */
  readonly canBeTransfer: (deposit: number, settlement: number | undefined) => boolean
  /**
   * True if a settlement can have spent the change of an earlier settlement: the root of its proof covers the leaf of
   * the change.
   */
  readonly canFollow: (settlement: number, earlier: number) => boolean
}

/** Lists the deposits from which each payment may come. Compares assets, values and places in the tree. */
export function linkProblem(
  sightings: Sightings,
  known: readonly KnownPayment[] = [],
): LinkProblem {
  const { deposits, settlements } = sightings
  const rests = readReturnedRests(sightings)
  const recoveries = readRecoveries(sightings)
  const gross = settlements.map(grossOf)
  const senders = numberer<string>()
  const payees = numberer<string>()
  const senderOf = deposits.map(({ sender }) => senders.of(sender))
  const payeeOf = settlements.map(({ payee }) => payees.of(payee))
  const triedOf = otherPayees(sightings).map((others) => others.map((payee) => payees.of(payee)))
  const payments = settlements.filter(({ isRefund }) => !isRefund)
  const ownWallet = new Array<number | undefined>(payees.count()).fill(undefined)
  for (const { payee } of settlements) ownWallet[payees.of(payee)] = senders.find(payee)
  const knownOf = known.map(({ wallet, payee }) => ({
    ...{ sender: senders.of(wallet), payee: payees.of(payee) },
  }))
  const paid = payments.map(({ index }) => payeeOf[index] ?? 0)
  const all = [...paid, ...triedOf.flat(), ...knownOf.map(({ payee }) => payee)]
  const paymentsTo = countEach(payees.count(), all)
  // A long history has millions of possible pairs of payment and deposit. To save memory, all payments share two
  // objects for each deposit.
  const wayTo = deposits.map(({ index: deposit }): readonly [Way, Way] => [
    { deposit, isWhole: false },
    { deposit, isWhole: true },
  ])
  const waysOf = (one: SeenSettlement): Way[] =>
    deposits.flatMap(({ index, asset, value, leafIndex }) => {
      const isPossible =
        asset === one.asset &&
        leafIndex <= lastLeafOf(one) &&
        value >= (gross[one.index] ?? 0n) &&
        one.seconds <= (rests.lastPayments.get(index)?.to ?? Infinity) &&
        one.leafIndex < (rests.returned.get(index)?.leafIndex ?? Infinity) &&
        !rests.unspent.has(index)
      return isPossible ? (wayTo[index]?.[value === gross[one.index] ? 1 : 0] ?? []) : []
    })
  const lastLeaves = settlements.map(lastLeafOf)
  return {
    canFollow: (settlement, earlier) =>
      (settlements[earlier]?.leafIndex ?? 0) <= (lastLeaves[settlement] ?? 0),
    canBeTransfer: (deposit, settlement) => {
      if (rests.returned.has(deposit)) return false
      if (settlement === undefined) return true
      return gross[settlement] === deposits[deposit]?.value && !recoveries.isOwnPayment(settlement)
    },
    ...{ sightings, payments, gross, rests, recoveries, senderOf, payeeOf, paymentsTo, ownWallet },
    payeesOf: payeeOf.map((payee, index) => [payee, ...(triedOf[index] ?? [])]),
    wanted: [
      ...knownOf,
      ...settlements.flatMap(({ index, isRefund }) => {
        const sender = isRefund ? ownWallet[payeeOf[index] ?? 0] : undefined
        if (sender === undefined) return []
        return (triedOf[index] ?? []).map((payee) => ({ sender, payee }))
      }),
    ],
    ways: withoutCoincidences(
      sightings,
      settlements.map((one) => (one.isRefund ? [] : waysOf(one))),
    ),
    amountChance: settlements.map(amountModel(settlements).logChance),
    spendable: deposits.map(({ index, value }) => value - returnedOf(rests, index)),
    depositClass: deposits.map((one) => DEPOSIT_CLASSES.indexOf(classOf(one))),
    senders: senders.count(),
    recent: recentWallets(sightings, senderOf),
  }
}

/** For each number below `size`: how often it occurs. */
function countEach(size: number, numbers: readonly number[]): number[] {
  const counts = new Array<number>(size).fill(0)
  for (const one of numbers) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

/** The amount that certainly returned from a deposit. */
function returnedOf({ returned }: ReturnedRests, deposit: number): bigint {
  const refund = returned.get(deposit)
  return refund === undefined ? 0n : grossOf(refund)
}

/**
 * The index of the last leaf that a settlement can have spent. The proof's root covers no later leaf. If the root isn't
 * known, this is the last leaf before the settlement's own leaf.
 */
const lastLeafOf = ({ leafIndex, rootLeaf }: SeenSettlement): number =>
  Math.min(leafIndex - 1, rootLeaf ?? Infinity)

/**
 * If exactly one deposit and one settlement have the same odd amount, links the two. Then no other settlement can be
 * linked to this deposit. The chance that equal odd amounts are a coincidence is one in a million.
 */
function withoutCoincidences(
  { settlements }: Sightings,
  ways: readonly (readonly Way[])[],
): (readonly Way[])[] {
  const claimants = new Map<number, number>()
  const whole = ways.map((ofOne) => ofOne.filter(({ isWhole }) => isWhole))
  for (const { deposit } of whole.flat()) claimants.set(deposit, (claimants.get(deposit) ?? 0) + 1)
  const taken = new Map<number, number>()
  for (const one of settlements) {
    const [only, ...more] = whole[one.index] ?? []
    if (only === undefined || more.length > 0 || claimants.get(only.deposit) !== 1) continue
    if (isRound(one.payout) || isRound(grossOf(one))) continue
    taken.set(only.deposit, one.index)
  }
  return ways.map((ofOne, settlement) => {
    const own = ofOne.filter(({ deposit }) => taken.get(deposit) === settlement)
    return own.length > 0 ? own : ofOne.filter(({ deposit }) => !taken.has(deposit))
  })
}

/** Gives each new key the next number, from 0. */
function numberer<Key>() {
  const numbers = new Map<Key, number>()
  return {
    find: (key: Key): number | undefined => numbers.get(key),
    of: (key: Key): number => {
      const known = numbers.get(key)
      if (known !== undefined) return known
      numbers.set(key, numbers.size)
      return numbers.size - 1
    },
    count: () => numbers.size,
  }
}
