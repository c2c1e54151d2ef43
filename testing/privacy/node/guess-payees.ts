import type { PaymentLinks } from '../../../observe/infer/infer-links.ts'
import type { LivedTransfers, TrueTransfer } from './live-through.ts'
import type { SeenRequest } from './watching-node.ts'

/**
 * Maximum number of seconds from a quote to its order. The blockhash of an order's deposit reveals the order's time to
 * the node.
 */
const BEFORE_ORDER = 6
/**
 * If requests name a payee twice within this many seconds, the node assumes that the second request isn't for a new
 * quote.
 */
const QUIET = 60
/** The factor by which a clue makes a payee more likely. */
const WEIGHT = 1_000

/** The times of the requests that name each address, in order. */
type Named = ReadonlyMap<string, readonly number[]>

function namedTimes(seen: readonly SeenRequest[]): Named {
  const times = new Map<string, number[]>()
  for (const { named, seconds } of seen) {
    for (const one of named) {
      const known = times.get(one)
      if (known === undefined) times.set(one, [seconds])
      else known.push(seconds)
    }
  }
  return times
}

/** True if the times of the requests for a payee suggest that an order of this second is for this payee. */
type Clue = (times: readonly number[], orderedSeconds: number) => boolean

const isNear = (at: number, orderedSeconds: number) =>
  at <= orderedSeconds && at >= orderedSeconds - BEFORE_ORDER

const CLUES: Readonly<Record<string, Clue>> = {
  'named shortly before': (times, at) => times.some((one) => isNear(one, at)),
  'named for the first time': ([first], at) => first !== undefined && isNear(first, at),
  'named after a silence': (times, at) =>
    times.some((one, index) => isNear(one, at) && one - (times[index - 1] ?? -Infinity) > QUIET),
  'named between the regular requests': (times, at) =>
    times.some((one) => isNear(one, at) && one % 10 !== 0),
}

export interface Guesses {
  readonly deposits: number
  /** Number of right guesses from the chain alone. */
  readonly chance: number
  /** Number of right guesses from the chain and the requests, by the best clue. */
  readonly right: number
  readonly clue: string
}

/**
 * Guesses the payee of each deposit from the chain alone, and then with each clue from the requests. The guess from the
 * chain uses the observer's posterior probabilities for each pair of settlement and deposit.
 */
export function guessPayees(
  { sightings, transfers }: Pick<LivedTransfers, 'sightings' | 'transfers'>,
  links: readonly PaymentLinks[],
  seen: readonly SeenRequest[],
  which: (transfer: TrueTransfer) => boolean = () => true,
): Guesses {
  const named = namedTimes(seen)
  const asked = transfers.filter(which)
  const count = (clue?: Clue) =>
    asked.filter(({ deposit, payee, orderedSeconds }) => {
      const chances = new Map<string, number>()
      for (const { settlement, candidates } of links) {
        const chance = candidates.find((one) => one.deposit === deposit)?.chance ?? 0
        const guessed = sightings.settlements[settlement]?.payee ?? ''
        const fits = clue?.(named.get(guessed) ?? [], orderedSeconds) === true
        const weight = fits ? WEIGHT : 1
        chances.set(guessed, (chances.get(guessed) ?? 0) + chance * weight)
      }
      const [best] = [...chances].sort(([, one], [, other]) => other - one)
      return best?.[0] === payee
    }).length
  const results = Object.entries(CLUES).map(([clue, is]) => ({ clue, right: count(is) }))
  const best = results.reduce((one, other) => (other.right > one.right ? other : one))
  return { deposits: asked.length, chance: count(), ...best }
}

/**
 * For each transfer to a new payee, counts the addresses that the node can't distinguish from the payee before the
 * payment. Returns the smallest count. An address counts if it is named in the same requests as the payee, and if its
 * account exists exactly when the payee's account exists. `decoys` are addresses that the node knows to be decoys.
 */
export function leastCrowd(
  { transfers, recipientNode }: LivedTransfers,
  decoys: ReadonlySet<string> = new Set(),
): number {
  const requests = recipientNode.seen.filter(({ method }) => method === 'getMultipleAccounts')
  return Math.min(
    ...transfers
      .filter(({ paidBefore }) => paidBefore === 'never')
      .map(({ payee, quotedSeconds }) => {
        const until = requests.filter(({ seconds }) => seconds <= quotedSeconds)
        const namedIn = (address: string) =>
          until.flatMap(({ named }, index) => (named.includes(address) ? [index] : [])).join()
        const own = namedIn(payee)
        const beside = until.find(({ named }) => named.includes(payee))?.named ?? []
        return beside.filter(
          (one) =>
            !decoys.has(one) &&
            recipientNode.exists(one) === recipientNode.exists(payee) &&
            namedIn(one) === own,
        ).length
      }),
  )
}
