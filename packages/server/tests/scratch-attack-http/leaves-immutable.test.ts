import { LEAVES_PER_PAGE } from '@sotto/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createServer } from '../../src/http/create-server.ts'
import { sqlLeafPages } from '../../src/adapters/store/leaf-pages.ts'
import { dropLeaves, insertLeaves } from '../../src/adapters/store/settlement/leaves.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { readLeaves } from '../../src/usecases/status/read-leaves.ts'
import { openMigrated } from '../migrated-database.ts'
import { HandClock } from '../webhooks/hand-clock.ts'

let database: Database
beforeAll(async () => {
  database = await openMigrated()
})
afterAll(() => database.close())

it('a page that is called immutable never changes', async () => {
  const pages = sqlLeafPages(database)
  const app = createServer({
    useCases: { readLeaves: (from: number) => readLeaves(pages, from) } as never,
    ...{ clock: new HandClock(0), random: systemRandom, rateLimit: { perSecond: 9, burst: 9 } },
    log: pinoLog('info', { write: () => undefined }),
  })
  const get = async () => {
    const answer = await app.inject({ url: '/transfer/v1/leaves' })
    return [answer.headers['cache-control'], answer.body] as const
  }
  // The follower has recorded a page, of which a node has invented the last leaf.
  const honest = Array.from({ length: LEAVES_PER_PAGE }, (_, index) => BigInt(index + 1))
  await insertLeaves(database, [...honest.slice(0, -1), 99_999n], 0)
  const [first, body] = await get()
  // The next step reads the true leaf, as `dropLeaves` and `insertLeaves` of the follower do.
  await dropLeaves(database, LEAVES_PER_PAGE - 1)
  await insertLeaves(database, [honest.at(-1)!], LEAVES_PER_PAGE - 1)
  const [second, changed] = await get()
  await app.close()
  expect([first?.includes('immutable'), second?.includes('immutable')]).toEqual([true, true])
  expect(changed).toBe(body)
})
