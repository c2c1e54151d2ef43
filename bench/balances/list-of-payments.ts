import { Balance } from '@sotto/sdk/balance'
import type { Stage } from '../../testing/stage/open-stage.ts'
import type { Measured } from '../report/line.ts'
import type { BareProver } from '../settlement/bare-rate.ts'
import type { SuiteOptions } from '../suite.ts'
import { newPayments, topUp, valueFor } from './owner.ts'

export const LIST_OF_PAYMENTS = 'balances: 100 payments out of four balances'
const LINES = 100
const QUICK_LINES = 8
const BALANCES = 4
const PROOFS = 20
const QUICK_PROOFS = 2
const STEP = 10

/**
 * Pays one list out of four balances, and measures the time. The baseline is the time that the prover alone needs for
 * the same number of proofs. It is computed from the prover's rates before and after the list.
 */
export async function measureList(
  stage: Stage,
  prover: BareProver,
  { quick, progress }: SuiteOptions,
): Promise<Measured> {
  const count = quick ? QUICK_LINES : LINES
  const proofs = quick ? QUICK_PROOFS : PROOFS
  const balances: Balance[] = []
  for (let index = 0; index < BALANCES; index += 1) {
    balances.push(await topUp(stage, valueFor(count / BALANCES + 1)))
  }
  const lines = await newPayments(count)
  const least = async () => count / (await prover.rate(proofs))
  const before = await least()
  const startedMs = performance.now()
  const secondsNow = () => (performance.now() - startedMs) / 1_000
  let paid = 0
  await Balance.sendAllFrom(balances, { id: 'bench', lines }, () => {
    paid += 1
    if (paid % STEP === 0) progress(`  ${paid} of ${count} paid after ${secondsNow().toFixed(1)} s`)
  })
  const seconds = secondsNow()
  const after = await least()
  progress(`  ${count} proofs alone: ${before.toFixed(1)} s before, ${after.toFixed(1)} s after`)
  const baselines = [before, after]
  return { name: LIST_OF_PAYMENTS, unit: 's', values: [seconds], baselines, bar: '<= 1.3' }
}
