import { hashOfBlock, timeOfBlock, type BitcoinBlock } from './bitcoin-block.ts'
import { firstRoundFrom, randomnessOf, timeOfRound, type DrandRound } from './drand.ts'

/** A value that this machine drew: fit for a rehearsal, never for a key that guards anything. */
export interface PrivateValue {
  kind: 'private'
  hex: string
}

/** Where the value that closes a phase comes from, with what proves it. */
export type BeaconSource = DrandRound | BitcoinBlock | PrivateValue

/**
 * Seconds between the last contribution of a phase and its beacon. It must exceed what it takes to
 * verify that contribution and to publish its hash everywhere, so that the
 * contribution can't be said later to have known the beacon; and the two hours by which a block may lie.
 */
export const BEACON_DELAY_SECONDS = 6 * 3_600

/** Seconds after that in which a block may stand for the beacon; one is found every ten minutes. */
const BLOCK_WINDOW_SECONDS = 6 * 3_600

/** True for a source that anyone can look up, and whose value its proof shows to be the public one. */
export const isPublic = (source: BeaconSource): boolean => source.kind !== 'private'

/** The value itself, in hexadecimal. @throws Error if the source's proof doesn't hold. */
export function beaconValue(source: BeaconSource): string {
  if (source.kind === 'drand') return randomnessOf(source)
  if (source.kind === 'bitcoin') return hashOfBlock(source)
  return source.hex
}

/** How a reader would name the source. */
export function describeBeacon(source: BeaconSource): string {
  if (source.kind === 'drand') return `drand quicknet, round ${source.round}`
  if (source.kind === 'bitcoin') return `Bitcoin, block ${source.height}`
  return 'drawn privately'
}

/**
 * Refuses a beacon that was known before the last contribution or that somebody could have picked: the
 * time of that contribution, in Unix seconds, decides which round or which span of blocks it is.
 *
 * @throws Error that names what the beacon should be.
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
