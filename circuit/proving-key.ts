import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { zKey } from 'snarkjs'
import type { Logger } from 'snarkjs'
import {
  type Beacon,
  type Contribution,
  BEACON_ITERATIONS_EXP,
  recordContribution,
} from './contribution.ts'

/**
 * Runs phase 2 of the Groth16 setup. Makes the circuit's key from its constraints and the powers of tau. Then adds one
 * contribution and a beacon. Before the contribution, delta and gamma of the key both equal the generator, so anyone
 * could forge proofs for that key. This function deletes that key and never returns it.
 *
 * @throws Error if the circuit doesn't fit the powers of tau.
 */
export async function makeProvingKey(
  r1cs: string,
  ptau: string,
  to: string,
  beacon: Beacon,
  logger?: Logger,
): Promise<Contribution[]> {
  const [empty, contributedTo, closedTo] = [`${to}.0`, `${to}.1`, `${to}.2`]
  await makeUncontributedKey(r1cs, ptau, empty, logger)
  const entropy = randomBytes(64).toString('hex')
  const first = 'sotto-development-1'
  const contributed = await zKey.contribute(empty, contributedTo, first, entropy, logger)
  const last = 'sotto-development-beacon'
  const closed = await zKey.beacon(
    contributedTo,
    closedTo,
    last,
    beacon.hex,
    BEACON_ITERATIONS_EXP,
    logger,
  )
  await rm(empty)
  await rm(contributedTo)
  await rename(closedTo, to)
  return [recordContribution(first, contributed), recordContribution(last, closed, beacon)]
}

/** Makes the first key of phase 2, which is insecure. Ceremonies start with it, and tests check that it is refused. */
export async function makeUncontributedKey(
  r1cs: string,
  ptau: string,
  to: string,
  logger?: Logger,
): Promise<void> {
  const made = await zKey.newZKey(r1cs, ptau, to, logger)
  if (made === -1) throw new Error('The circuit does not fit into these powers of tau.')
}
