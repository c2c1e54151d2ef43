import { expect, it } from 'vitest'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { writeOff } from '../../src/adapters/store/settlement/epochs.ts'
import { sharedPostgres } from '../shared-postgres.ts'
import { beginLife, EPOCH, EPOCH_MS, RETENTION_MS } from '../store/join/life.ts'
it('the key of a paid, unsettled order survives, although its leaf was written off', async () => {
  const postgres = await sharedPostgres()
  const database = openPostgres(await postgres.createDatabase())
  const life = await beginLife(database)
  const lost = await life.deposit()
  // The database was lost, and the leaf was written off by a rebuild with a wrong keystore.
  for (const table of ['orders', 'settlements', 'plans'])
    await database.query(`DELETE FROM ${table}`, [])
  await life.destroyAt((EPOCH + 3) * EPOCH_MS + RETENTION_MS)
  expect(await life.secrets.list()).toEqual([EPOCH])
  await writeOff(database, [lost.order.leaf])
  await life.destroyAt((EPOCH + 3) * EPOCH_MS + RETENTION_MS)
  const left = await life.secrets.list()
  await database.close()
  await postgres.stop()
  expect(left).toEqual([EPOCH])
})
