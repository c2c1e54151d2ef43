import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStage, type Stage } from '../../testing/stage/open-stage.ts'
import { lineOf, type Measured } from '../report/line.ts'
import { startBareProver, type BareProver } from '../settlement/bare-rate.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { LAMPORTS_OF_A_PAYMENT, measureLamports } from './lamports-of-payments.ts'
import { LIST_OF_PAYMENTS, measureList } from './list-of-payments.ts'
import { measureSignatureToFunds, SIGNATURE_TO_FUNDS } from './signature-to-funds.ts'

/** The slot time of a cluster. */
const SLOT_MS = 400
/**
 * The slot time for the list of payments. Finality takes three blocks. With a cluster's slot time, the prover would be
 * idle, because the payments of the four balances would mostly wait for finality.
 */
const SHORT_SLOT_MS = 100
const SEED = 1
const SETTINGS = { SOTTO_UPKEEP_SECONDS: '1' } as const

/**
 * Runs some work on a service with one worker and one prover. The work can also use another prover directly, without
 * the service.
 */
async function onStage(
  slotMs: number,
  work: (stage: Stage, prover: BareProver) => Promise<Measured[]>,
): Promise<Measured[]> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-balances-'))
  const where = { folder, seed: SEED, workers: 1, slotMs, isDirect: true, settings: SETTINGS }
  const stage = await openStage(where)
  try {
    const prover = await startBareProver()
    const measured = await work(stage, prover).finally(prover.stop)
    await rm(folder, { recursive: true, force: true })
    return measured
  } catch (cause) {
    throw new Error(`the logs are in ${folder}`, { cause })
  } finally {
    await stage.close()
  }
}

async function measure(options: SuiteOptions): Promise<Measured[]> {
  const { wants } = options
  const measured: Measured[] = []
  if (wants(SIGNATURE_TO_FUNDS)) {
    const work = (stage: Stage, prover: BareProver) =>
      measureSignatureToFunds(stage, prover, SLOT_MS, options)
    measured.push(...(await onStage(SLOT_MS, async (...on) => [await work(...on)])))
  }
  if (!wants(LIST_OF_PAYMENTS) && !wants(LAMPORTS_OF_A_PAYMENT)) return measured
  const fast = await onStage(SHORT_SLOT_MS, async (stage, prover) => {
    const lamports = wants(LAMPORTS_OF_A_PAYMENT) ? [await measureLamports(stage, options)] : []
    const list = wants(LIST_OF_PAYMENTS) ? [await measureList(stage, prover, options)] : []
    return [...list, ...lamports]
  })
  return [...measured, ...fast]
}

/** Measures payments out of balances with the SDK that partners use. */
export const balancesSuite: Suite = {
  measures: 'payments out of balances compared with the bare prover, and their cost',
  run: async (options) => (await measure(options)).map((one) => lineOf(one, !options.quick)),
}
