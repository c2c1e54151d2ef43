import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { curves, powersOfTau } from 'snarkjs'
import type { Logger } from 'snarkjs'
import {
  type Beacon,
  type Contribution,
  BEACON_ITERATIONS_EXP,
  recordContribution,
} from './contribution.ts'

/** The circuit must fit into 2^POWER rows. The settle circuit was written to fit into 2^14. */
export const POWER = 14

/**
 * Runs phase 1 of the Groth16 setup. Makes fresh powers of tau, adds one contribution and a beacon, and prepares the
 * file for phase 2. The contribution's secret comes from 128 random bytes of the system: this function and snarkjs each
 * draw 64. The preparation takes minutes on two cores.
 *
 * The file `to` exists only when it is complete. So a later run can't use the unfinished file of an interrupted run.
 * Returns the contributions in order.
 */
export async function makePowersOfTau(
  to: string,
  folder: string,
  power: number,
  beacon: Beacon,
  logger?: Logger,
): Promise<Contribution[]> {
  const step = (name: string) => join(folder, `powers-of-tau.${name}.ptau`)
  const curve = await curves.getCurveFromName('bn128')
  await powersOfTau.newAccumulator(curve, power, step('0'), logger)
  // The contributor's secret exists only in this process's memory. Powers of tau are sound if at least one
  // contributor's secret is deleted.
  const entropy = randomBytes(64).toString('hex')
  const first = 'sotto-development-1'
  const contributed = await powersOfTau.contribute(step('0'), step('1'), first, entropy, logger)
  const last = 'sotto-development-beacon'
  const closed = await powersOfTau.beacon(
    step('1'),
    step('2'),
    last,
    beacon.hex,
    BEACON_ITERATIONS_EXP,
    logger,
  )
  await powersOfTau.preparePhase2(step('2'), step('prepared'), logger)
  await rename(step('prepared'), to)
  for (const name of ['0', '1', '2']) await rm(step(name))
  return [recordContribution(first, contributed), recordContribution(last, closed, beacon)]
}
