import { sha256 } from '@noble/hashes/sha2'
import type { Address } from '@solana/kit'
import { decodeAddress, encodeAddress } from '../base58.ts'
import { isCurvePoint } from '../curve-point.ts'

const MARKER = new TextEncoder().encode('ProgramDerivedAddress')
const BUMP_MAX = 255

/**
 * A program's derived address: sha256(seeds ‖ bump ‖ program ‖ marker). The bump is the highest number up to 255 with
 * which the hash is not a point on the curve. The client library is several times slower, and each order needs a new
 * address.
 *
 * @throws Error if the program isn't an address. It would also throw if every bump's hash were a point on the curve,
 *   which has never been observed.
 */
export function deriveAddress(program: Address, seeds: readonly Uint8Array[]): Address {
  const programBytes = decodeAddress(program)
  if (programBytes === undefined) throw new Error('a program must be given by its address')
  const size = seeds.reduce((sum, seed) => sum + seed.length, 0)
  const hashed = new Uint8Array(size + 1 + programBytes.length + MARKER.length)
  let at = 0
  for (const seed of seeds) {
    hashed.set(seed, at)
    at += seed.length
  }
  hashed.set(programBytes, size + 1)
  hashed.set(MARKER, size + 1 + programBytes.length)
  for (let bump = BUMP_MAX; bump >= 0; bump -= 1) {
    hashed[size] = bump
    const candidate = sha256(hashed)
    if (!isCurvePoint(candidate)) return encodeAddress(candidate)
  }
  throw new Error('no bump gives an address off the curve')
}
