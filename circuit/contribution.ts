import { randomBytes } from 'node:crypto'

/**
 * snarkjs hashes a beacon 2^10 times, its minimum. More iterations would only slow down an attacker who tries many
 * beacons. In a ceremony, no one can try many beacons: drand's round is fixed in advance, and each additional Bitcoin
 * block requires the work of a block.
 */
export const BEACON_ITERATIONS_EXP = 10

/** A value that closes a phase of the setup. `public` is true if anyone can check the value's origin. */
export interface Beacon {
  hex: string
  source: string
  public: boolean
}

/** One step of a phase as the manifest lists it. `hash` is the BLAKE2b-512 that snarkjs reports. */
export interface Contribution {
  name: string
  hash: string
  beacon?: Beacon
}

/**
 * A beacon that this machine draws. It completes the setup, but no one else can check how it was chosen. So the
 * finished key is a development key.
 */
export function drawLocalBeacon(): Beacon {
  return { hex: randomBytes(32).toString('hex'), source: 'drawn locally', public: false }
}

/** Converts a step's result to its manifest entry. snarkjs returns `false` for an invalid beacon. */
export function recordContribution(
  name: string,
  hash: Uint8Array | false,
  beacon?: Beacon,
): Contribution {
  if (hash === false) throw new Error('The beacon was refused. It must be hexadecimal bytes.')
  const entry = { name, hash: Buffer.from(hash).toString('hex') }
  return beacon === undefined ? entry : { ...entry, beacon }
}
