import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { SeenSettlement, Sightings } from '../chain/sightings.ts'
import type { PaymentLinks } from '../infer/infer-links.ts'
import { feeClasses } from './fee-classes.ts'
import { CHANCE_MAX, type Finding, type LeakName } from './finding.ts'
import { dependence, shuffledChance } from './statistics.ts'

/** A link between a settlement and its deposit counts as known if its probability is at least this. */
const KNOWN = 0.95

/** A payment whose deposit the observer knows. */
export interface KnownLink {
  readonly settlement: SeenSettlement
  readonly deposit: Sightings['deposits'][number]
  readonly isWhole: boolean
}

/** The payments whose link is almost certain. From these, the tests for leaks learn how the service behaves. */
export function knownLinks(sightings: Sightings, links: readonly PaymentLinks[]): KnownLink[] {
  return links.flatMap(({ settlement: index, candidates: [best] }) => {
    const settlement = sightings.settlements[index]
    const deposit = sightings.deposits[best?.deposit ?? -1]
    if (best === undefined || settlement === undefined || deposit === undefined) return []
    if (best.chance < KNOWN) return []
    const isWhole = deposit.value === settlement.payout + settlement.fee
    return [{ settlement, deposit, isWhole }]
  })
}

/** A property of a settlement that the service can choose. */
interface Choice {
  readonly leak: LeakName
  readonly name: string
  readonly of: (settlement: SeenSettlement) => string | undefined
}

/**
 * A fact on which a choice must not depend. Its value is undefined for a settlement if the observer doesn't know it.
 */
interface Secret {
  readonly name: string
  readonly of: (settlement: SeenSettlement) => string | undefined
}

function choicesOf(sightings: Sightings): Choice[] {
  const fees = feeClasses(sightings.settlements)
  return [
    { leak: 'relayer', name: 'relayer', of: ({ relayer }) => relayer },
    { leak: 'unit-budget', name: 'compute unit limit', of: ({ layout }) => `${layout.unitLimit}` },
    { leak: 'unit-budget', name: 'price of units', of: ({ layout }) => `${layout.unitPrice}` },
    { leak: 'unit-budget', name: 'list of programs', of: ({ layout }) => layout.programs },
    { leak: 'fee', name: 'fee beyond the tariff', of: ({ index }) => fees.get(index) },
  ]
}

function secretsOf(sightings: Sightings, links: readonly PaymentLinks[]): Secret[] {
  const known = new Map(
    knownLinks(sightings, links).map((link) => [link.settlement.index, link] as const),
  )
  const whole = new Map(
    links.map(({ settlement, candidates }) => [
      settlement,
      candidates.reduce((sum, { deposit, chance }) => {
        const gross = grossAt(sightings, settlement)
        return sightings.deposits[deposit]?.value === gross ? sum + chance : sum
      }, 0),
    ]),
  )
  const relayers = new Set(sightings.settlements.map(({ relayer }) => relayer)).size
  return [
    { name: 'the asset', of: ({ asset }) => asset },
    {
      name: 'whether a whole deposit is paid out',
      of: ({ index }) => ((whole.get(index) ?? 0) > 0.5 ? 'whole' : 'part'),
    },
    { name: 'the wallet that deposited', of: ({ index }) => known.get(index)?.deposit.sender },
    {
      name: 'the place of the deposit',
      of: ({ index }) => {
        const place = known.get(index)?.deposit.leafIndex
        return place === undefined ? undefined : `${place % Math.max(2, relayers)}`
      },
    },
    {
      name: 'whether the deposit was a swap',
      of: ({ index }) => {
        const deposit = known.get(index)?.deposit
        return deposit === undefined ? undefined : `${deposit.sourceAsset !== deposit.asset}`
      },
    },
    {
      name: "the partner's share",
      of: ({ index }) => {
        const deposit = known.get(index)?.deposit
        return deposit === undefined ? undefined : `${deposit.partnerFee > 0n}`
      },
    },
  ]
}

const grossAt = ({ settlements }: Sightings, index: number): bigint | undefined => {
  const found = settlements[index]
  return found === undefined ? undefined : found.payout + found.fee
}

/** The tests need at least this many settlements to show a dependence. */
const SETTLEMENTS_MIN = 24

/**
 * Finds choices of settlements that depend on a secret. Makes a permutation test for each pair of a choice and a
 * secret.
 */
export function findDependences(
  sightings: Sightings,
  links: readonly PaymentLinks[],
  random: SeededRandom,
): Finding[] {
  const payments = sightings.settlements.filter(({ isRefund }) => !isRefund)
  const secrets = secretsOf(sightings, links)
  return choicesOf(sightings).flatMap((choice) =>
    secrets.flatMap((secret): Finding[] => {
      const both = payments.flatMap((one) => {
        const [left, right] = [choice.of(one), secret.of(one)]
        return left === undefined || right === undefined ? [] : [{ left, right }]
      })
      const [left, right] = [both.map((one) => one.left), both.map((one) => one.right)]
      if (both.length < SETTLEMENTS_MIN || new Set(left).size < 2) return []
      const chance = shuffledChance(left, right, dependence, random)
      if (chance > CHANCE_MAX) return []
      return [{ leak: choice.leak, seen: `the ${choice.name} depends on ${secret.name}`, chance }]
    }),
  )
}
