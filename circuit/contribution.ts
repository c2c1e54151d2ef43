import { randomBytes } from 'node:crypto'

/**
 * 2^10 iterations are the least that snarkjs takes. More would only slow down somebody who could choose
 * among many values; a ceremony's beacon is fixed in advance, or costs a Bitcoin block to choose again.
 */
export const BEACON_ITERATIONS_EXP = 10

/** A value that closes a phase of the setup; `public` says whether anyone can check where it came from. */
export interface Beacon {
  hex: string
  source: string
  public: boolean
}

/** One step of a phase as the manifest lists it; `hash` is the BLAKE2b-512 that snarkjs reports. */
export interface Contribution {
  name: string
  hash: string
  beacon?: Beacon
}

/**
 * A beacon drawn on this machine. It keeps the setup's shape but adds no trust, which is one of the
 * reasons why a key made with it is labelled as a development key.
 */
export function drawLocalBeacon(): Beacon {
  return { hex: randomBytes(32).toString('hex'), source: 'drawn locally', public: false }
}

/** Turns a step's result into its manifest entry; snarkjs answers a bad beacon with `false`. */
export function recordContribution(
  name: string,
  hash: Uint8Array | false,
  beacon?: Beacon,
): Contribution {
  if (hash === false) throw new Error('The beacon was refused: it must be hexadecimal bytes.')
  const entry = { name, hash: Buffer.from(hash).toString('hex') }
  return beacon === undefined ? entry : { ...entry, beacon }
}
