import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBare, launchService } from '../ground/launch-each.ts'
import { openGround, type Ground } from '../ground/open-ground.ts'
import { lineOf, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { useService } from './use-service.ts'
import { residentIdle } from './resident.ts'

/** The baseline, which we chose. This much memory is left on a small machine that also runs a prover and a database. */
const MEGABYTES_MAX = 250
const IDLE_SECONDS = 15
const QUICK_SECONDS = 1
const NAME = 'memory: API and worker on PostgreSQL'

async function measure(ground: Ground, folder: string, quick: boolean): Promise<Measured[]> {
  const seconds = quick ? QUICK_SECONDS : IDLE_SECONDS
  const bare = await launchBare(ground, folder, 'PostgreSQL')
  let least: number
  try {
    least = await residentIdle(bare.pid, seconds)
  } finally {
    await bare.stop()
  }
  const service = await launchService(ground, folder, 'PostgreSQL', 'api,worker')
  try {
    const idle = await residentIdle(service.pid, seconds)
    await useService(ground, service.ready.baseUrl, quick)
    const used = await residentIdle(service.pid, seconds)
    const unit = 'MB'
    return [
      { name: `${NAME}, idle`, unit, values: [idle], baselines: [MEGABYTES_MAX], bar: '<= 1' },
      {
        name: `${NAME}, idle, beside a bare process`,
        unit,
        values: [idle],
        baselines: [least],
        bar: null,
      },
      {
        name: `${NAME}, idle after 2,000 quotes and 200 orders`,
        unit,
        values: [used],
        baselines: [MEGABYTES_MAX],
        bar: null,
      },
    ]
  } finally {
    await service.stop()
  }
}

/** Measures the memory of the service. Another suite measures the prover's process. */
export const memorySuite: Suite = {
  measures: 'resident memory of the idle service on PostgreSQL',
  run: async ({ quick, wants }: SuiteOptions) => {
    if (![`${NAME}, idle`, `${NAME}, idle, beside`, `${NAME}, idle after`].some(wants)) return []
    const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-memory-'))
    const ground = await openGround(folder, ['PostgreSQL'])
    try {
      const measured = await measure(ground, folder, quick)
      await rm(folder, { recursive: true, force: true })
      return measured.filter(({ name }) => wants(name)).map((one) => lineOf(one, !quick))
    } catch (cause) {
      throw new Error(`the logs are in ${folder}`, { cause })
    } finally {
      await ground.close()
    }
  },
}
