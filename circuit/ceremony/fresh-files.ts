import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { curves, powersOfTau } from 'snarkjs'
import { makeUncontributedKey } from '../proving-key.ts'

// This module makes the first file of each phase: the fresh powers of tau and the fresh key. Their content depends only
// on the arguments. So anyone can make the files again and verify a ceremony's beginning.

/** Powers of tau without a contribution: every point is the generator. */
export async function makeFreshPowers(power: number, to: string): Promise<void> {
  await powersOfTau.newAccumulator(await curves.getCurveFromName('bn128'), power, to)
}

/** SHA-256 of the first file of a ceremony of this size, if the ceremony begins with fresh powers of tau. */
export const hashFreshPowers = (power: number): Promise<string> =>
  hashInPassing((path) => makeFreshPowers(power, path))

/** SHA-256 of the key before any contribution. The key is made from a circuit and prepared powers of tau. */
export const hashFreshKey = (r1cs: string, prepared: string): Promise<string> =>
  hashInPassing((path) => makeUncontributedKey(r1cs, prepared, path))

async function hashInPassing(make: (path: string) => Promise<void>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-ceremony-'))
  try {
    const path = join(folder, 'file')
    await make(path)
    return createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
  } finally {
    await rm(folder, { recursive: true })
  }
}
