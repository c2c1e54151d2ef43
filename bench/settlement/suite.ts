import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceClient } from '../../testing/soak/service-client.ts'
import { openStage, type Stage } from '../../testing/stage/open-stage.ts'
import { lineOf, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { backlogNames, FAULTS, measureBacklog } from './backlog.ts'
import { startBareProver } from './bare-rate.ts'
import { Deliveries } from './deliveries.ts'
import { measureOneByOne } from './one-by-one.ts'

/** The slot time of a cluster. Finality takes three blocks on the local chain and about thirty on a cluster. */
const SLOT_MS = 400
const SEED = 1
const SETTINGS = {
  SOTTO_DELAY_MIN_SECONDS: '0',
  SOTTO_DELAY_MAX_SECONDS: '0',
  SOTTO_LOG_LEVEL: 'info',
} as const
const ONE_BY_ONE = ['deposit seen to delivered', 'signature to funds']

async function measure(stage: Stage, options: SuiteOptions): Promise<Measured[]> {
  const market = { stage, client: new ServiceClient(stage.baseUrl, stage.setup.apiKey) }
  const tools = { deliveries: new Deliveries(stage.databaseUrl), prover: await startBareProver() }
  try {
    const measured: Measured[] = []
    if (ONE_BY_ONE.some((name) => options.wants(`settlement: ${name}`))) {
      measured.push(...(await measureOneByOne(market, tools, options)))
    }
    for (const percent of FAULTS) {
      if (!Object.values(backlogNames(percent)).some(options.wants)) continue
      measured.push(...(await measureBacklog(market, tools, percent, options)))
    }
    return measured
  } finally {
    tools.prover.stop()
    await tools.deliveries.close()
  }
}

/** Measures one worker process with one prover. The baseline is the same prover alone. */
export const settlementSuite: Suite = {
  measures:
    'deliveries compared with the bare prover, and the time of one delivery compared with its quote',
  run: async (options) => {
    const names = [
      ...ONE_BY_ONE.map((name) => `settlement: ${name}`),
      ...FAULTS.flatMap((percent) => Object.values(backlogNames(percent))),
    ]
    if (!names.some(options.wants)) return []
    const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-'))
    const where = { folder, seed: SEED, workers: 0, slotMs: SLOT_MS, settings: SETTINGS }
    const stage = await openStage(where)
    try {
      const measured = await measure(stage, options)
      await rm(folder, { recursive: true, force: true })
      return measured
        .filter(({ name }) => options.wants(name))
        .map((one) => lineOf(one, !options.quick))
    } catch (cause) {
      throw new Error(`the logs are in ${folder}`, { cause })
    } finally {
      await stage.close()
    }
  },
}
