import { hashOfBlock, timeOfBlock, type BitcoinBlock } from './bitcoin-block.ts'
import { firstRoundFrom, randomnessOf, timeOfRound, type DrandRound } from './drand.ts'

/**
 * A random value that this machine drew. It may be used only in a rehearsal, never for a key that guards real funds.
 */
export interface PrivateValue {
  kind: 'private'
  hex: string
}

/** The source of the value that closes a phase, with the proof that the source published this value. */
export type BeaconSource = DrandRound | BitcoinBlock | PrivateValue

/**
 * Minimum number of seconds between the last contribution of a phase and its beacon. During this time, other people can
 * verify the last contribution and publish its hash. A hash that was published before the beacon proves that the
 * contributor didn't know the beacon. The delay must also be longer than two hours, because a block's time may be wrong
 * by that much.
 */
export const BEACON_DELAY_SECONDS = 6 * 3_600

/**
 * Length in seconds of the period that begins after `BEACON_DELAY_SECONDS`. Any Bitcoin block of this period may be the
 * beacon. Miners find a block about every ten minutes.
 */
const BLOCK_WINDOW_SECONDS = 6 * 3_600

/** True for drand and Bitcoin: their values include a proof of their origin. */
export const isPublic = (source: BeaconSource): boolean => source.kind !== 'private'

/** The beacon's value, in hexadecimal. @throws Error if the source's proof is invalid. */
export function beaconValue(source: BeaconSource): string {
  if (source.kind === 'drand') return randomnessOf(source)
  if (source.kind === 'bitcoin') return hashOfBlock(source)
  return source.hex
}

/** Describes the source in a report. */
export function describeBeacon(source: BeaconSource): string {
  if (source.kind === 'drand') return `drand quicknet, round ${source.round}`
  if (source.kind === 'bitcoin') return `Bitcoin, block ${source.height}`
  return 'drawn privately'
}

/**
 * Checks that a public beacon is the required drand round, or a Bitcoin block of the required period. The time of the
 * last contribution, in Unix seconds, determines the round and the period. If that time is true, no one knew the beacon
 * when the contribution was made. Only one round of drand, or one of about 36 Bitcoin blocks, can be the beacon. A
 * private value is always accepted.
 *
 * @throws Error that names the required beacon.
 */
export function assertBeaconFollows(source: BeaconSource, lastContribution: number): void {
  const from = lastContribution + BEACON_DELAY_SECONDS
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  if (source.kind === 'drand' && source.round !== firstRoundFrom(from)) {
    const due = firstRoundFrom(from)
    throw new Error(
      `The beacon must be drand round ${due}, published ${at(timeOfRound(due))}, not ${source.round}.`,
    )
  }
  if (source.kind !== 'bitcoin') return
  const time = timeOfBlock(source)
  if (time < from || time > from + BLOCK_WINDOW_SECONDS) {
    throw new Error(
      `The beacon must be a block of ${at(from)} or up to six hours later, not of ${at(time)}.`,
    )
  }
}
