import type { Address } from '@solana/kit'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LOCAL_PROGRAM } from '../../demo/src/stack/services.ts'
import { readPool } from '../../packages/server/src/operator/pool/pool-account.ts'
import { openGround, type Ground } from '../ground/open-ground.ts'
import { lineOf, type Line, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { openSized, type SizedService, type Timed } from './sized-service.ts'

/** The numbers of seeded orders. The results for the first size are the baseline of the other sizes. */
const SIZES = [10_000, 1_000, 100_000, 1_000_000, 10_000_000]
const QUICK_SIZES = [100, 1_000]
/** The limit for the largest size: at most 1.3 times the baseline. */
const BAR = '<= 1.3'
const ROUNDS = 400
const WARM_UP = 100
const QUICK_ROUNDS = 3

const WORK: Readonly<Record<keyof Timed, string>> = {
  order: 'an order',
  status: 'a status',
  record: 'the record of a deposit and its leaf',
  look: 'a poll of the chain that finds nothing',
}

const nameOf = (work: keyof Timed, size: number): string =>
  `growth: ${WORK[work]}, with ${size.toLocaleString('en-US')}`

async function measure(services: readonly SizedService[], quick: boolean): Promise<Timed[][]> {
  const found: Timed[][] = services.map(() => [])
  const warmUp = quick ? 0 : WARM_UP
  for (let round = 0; round < warmUp + (quick ? QUICK_ROUNDS : ROUNDS); round += 1) {
    for (const [index, service] of services.entries()) {
      const timed = await service.measure()
      if (round >= warmUp) found[index]?.push(timed)
    }
  }
  return found
}

/** The results: one for each kind of work at each size, compared with the same work at the first size. */
function linesOf(sizes: readonly number[], found: readonly Timed[][]): Measured[] {
  const largest = Math.max(...sizes)
  return (Object.keys(WORK) as (keyof Timed)[]).flatMap((work) =>
    sizes.slice(1).map((size, index) => ({
      ...({ name: nameOf(work, size), unit: 'ms', bar: size === largest ? BAR : null } as const),
      values: (found[index + 1] ?? []).map((timed) => timed[work]),
      baselines: (found[0] ?? []).map((timed) => timed[work]),
    })),
  )
}

async function run(ground: Ground, folder: string, options: SuiteOptions): Promise<Line[]> {
  const { quick, progress, wants } = options
  const sizes = quick ? QUICK_SIZES : SIZES
  const { domain } = await readPool(ground.chain.rpc, LOCAL_PROGRAM as Address)
  const services: SizedService[] = []
  try {
    // A service refuses quotes if no follower has run on its database for two minutes. A follower polls once when it is
    // opened, and then again only after all databases are filled. So the largest database, which takes minutes to fill,
    // is filled first.
    for (const size of sizes.toSorted((one, other) => other - one)) {
      const startedMs = performance.now()
      const keys = join(folder, 'keys')
      services.push(await openSized({ ground, folder, keys, domain, size }))
      const seconds = Math.round((performance.now() - startedMs) / 1_000)
      progress(`  ${size} orders and notes are in the database after ${seconds} s`)
    }
    services.sort((one, other) => sizes.indexOf(one.size) - sizes.indexOf(other.size))
    return linesOf(sizes, await measure(services, quick))
      .filter(({ name }) => wants(name))
      .map((one) => lineOf(one, !quick))
  } finally {
    for (const service of services) await service.close()
  }
}

/** Measures how the times of orders, statuses and leaves change with the numbers of orders and notes. */
export const growthSuite: Suite = {
  measures:
    'times of orders, statuses and leaves on databases with a thousand to ten million orders',
  run: async (options) => {
    const sizes = [...SIZES, ...QUICK_SIZES]
    const works = Object.keys(WORK) as (keyof Timed)[]
    if (!works.some((work) => sizes.some((size) => options.wants(nameOf(work, size))))) return []
    const folder = await mkdtemp(join(tmpdir(), 'sotto-bench-growth-'))
    const ground = await openGround(folder, ['PostgreSQL'])
    try {
      const lines = await run(ground, folder, options)
      await rm(folder, { recursive: true, force: true })
      return lines
    } catch (cause) {
      throw new Error(`the logs are in ${folder}`, { cause })
    } finally {
      await ground.close()
    }
  },
}
