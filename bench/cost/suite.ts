import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceClient } from '../../testing/soak/service-client.ts'
import { openStage } from '../../testing/stage/open-stage.ts'
import { lineOf, type Measured } from '../report/line.ts'
import type { Suite } from '../suite.ts'
import { KINDS, type TransferKind } from './kinds.ts'
import { lamportsLost } from './lamports-lost.ts'

/**
 * The limits that we chose, in lamports, for a single transfer and for each of ten transfers. They cover the fees for
 * the two signatures of a deposit, for one settlement, and for closing two accounts. With ten transfers, one
 * transaction closes ten accounts.
 */
const LAMPORTS_MAX: Readonly<Record<number, number>> = { 1: 25_000, 10: 16_000 }
/**
 * The part of these limits for the relayers, who pay for the settlement. A payment out of a balance costs only this
 * part, because it needs no deposit.
 */
const SETTLING_MAX: Readonly<Record<number, number>> = { 1: 15_000, 10: 6_000 }
const SLOT_MS = 100
const SEED = 1
/**
 * The numbers of transfers. One transaction returns the rent of up to ten accounts, so each of ten transfers costs less
 * than a single transfer.
 */
const COUNTS = [1, 10] as const
const SETTINGS = {
  SOTTO_DELAY_MIN_SECONDS: '0',
  SOTTO_DELAY_MAX_SECONDS: '0',
  SOTTO_POLL_MS: '200',
  SOTTO_UPKEEP_SECONDS: '1',
} as const

const nameOf = (kind: TransferKind, count: number): string =>
  `cost: ${kind.name}, ${count === 1 ? 'alone' : `one of ${count}`}`

/** Measures real transfers on the embedded chain, one kind after the other. */
export const costSuite: Suite = {
  measures: 'the cost of a transfer on the chain, without the rent that is returned',
  run: async ({ quick, wants, progress }) => {
    const jobs = KINDS.flatMap((kind) => COUNTS.map((count) => ({ kind, count }))).filter(
      ({ kind, count }) => wants(nameOf(kind, count)) && !(quick && count > 1),
    )
    if (jobs.length === 0) return []
    const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-cost-'))
    const where = { folder, seed: SEED, workers: 1, slotMs: SLOT_MS, settings: SETTINGS }
    const stage = await openStage(where)
    try {
      const market = { stage, client: new ServiceClient(stage.baseUrl, stage.setup.apiKey) }
      const measured: Measured[] = []
      for (const { kind, count } of jobs) {
        const name = nameOf(kind, count)
        const lost = await lamportsLost(market, kind, count)
        progress(`  ${name}: ${lost.all} lamports, ${lost.relayers} of them lost by the relayers`)
        const bar = kind.isJudged ? '<= 1' : null
        const line = (ofWhat: string, lamports: bigint, most: number | undefined): Measured => ({
          ...{ name: `${name}${ofWhat}`, unit: 'lamports', values: [Number(lamports) / count] },
          ...{ baselines: [most ?? 0], bar },
        })
        measured.push(line('', lost.all, LAMPORTS_MAX[count]))
        measured.push(line(', settling it', lost.relayers, SETTLING_MAX[count]))
      }
      await rm(folder, { recursive: true, force: true })
      return measured.map((one) => lineOf(one, !quick))
    } catch (cause) {
      throw new Error(`the logs are in ${folder}`, { cause })
    } finally {
      await stage.close()
    }
  },
}
