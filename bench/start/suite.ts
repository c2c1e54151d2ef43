import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launchBare, launchService } from '../ground/launch-each.ts'
import { openGround, type Engine, type Ground } from '../ground/open-ground.ts'
import type { Launched } from '../http/launch.ts'
import { lineOf, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'

const ROUNDS = 7
const QUICK_ROUNDS = 1

const CASES = [
  { name: 'start: API on PostgreSQL', engine: 'PostgreSQL', role: 'api' },
  { name: 'start: API and worker on PostgreSQL', engine: 'PostgreSQL', role: 'api,worker' },
  { name: 'start: API and worker on PGlite', engine: 'PGlite', role: 'api,worker' },
] as const satisfies readonly { name: string; engine: Engine; role: string }[]

/** Starts a process and stops it again. Returns the seconds until the process was ready. */
async function secondsOf(start: () => Promise<Launched<unknown>>): Promise<number> {
  const startedMs = performance.now()
  const started = await start()
  const seconds = (performance.now() - startedMs) / 1_000
  await started.stop()
  return seconds
}

async function measure(
  ground: Ground,
  folder: string,
  { name, engine, role }: (typeof CASES)[number],
  { quick, progress }: SuiteOptions,
): Promise<Measured> {
  const values: number[] = []
  const baselines: number[] = []
  const rounds = quick ? QUICK_ROUNDS : ROUNDS
  // The first starts aren't counted. They build the program and create the baseline's database.
  for (let round = 0; round <= rounds; round += 1) {
    const value = await secondsOf(() => launchService(ground, folder, engine, role))
    const baseline = await secondsOf(() => launchBare(ground, folder, engine))
    if (round === 0) continue
    values.push(value)
    baselines.push(baseline)
    progress(`  ${name}: ${value.toFixed(2)} s, bare ${baseline.toFixed(2)} s`)
  }
  return { name, unit: 's', values, baselines, bar: null }
}

/** Measures the time until the built service is ready, on each database. */
export const startSuite: Suite = {
  measures: 'the start of the service compared with that of a bare process on the same database',
  run: async (options) => {
    const wanted = CASES.filter(({ name }) => options.wants(name))
    if (wanted.length === 0) return []
    const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-start-'))
    const ground = await openGround(folder, [...new Set(wanted.map(({ engine }) => engine))])
    try {
      const measured: Measured[] = []
      for (const one of wanted) measured.push(await measure(ground, folder, one, options))
      await rm(folder, { recursive: true, force: true })
      return measured.map((one) => lineOf(one, !options.quick))
    } catch (cause) {
      throw new Error(`the logs are in ${folder}`, { cause })
    } finally {
      await ground.close()
    }
  },
}
