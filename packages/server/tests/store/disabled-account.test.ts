import { afterAll, beforeAll, expect, it } from 'vitest'
import { sqlWebhookStore } from '../../src/adapters/store/webhook-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { openMigrated } from '../migrated-database.ts'

const [NOW_MS, LATER_MS] = [1_760_000_000_000, 1_760_000_060_000]

let database: Database
beforeAll(async () => void (database = await openMigrated()))
afterAll(() => database?.close())

it('an account’s endpoints are disabled together with the account', async () => {
  const store = sqlWebhookStore(database)
  for (const id of ['shop', 'other']) {
    await database.query(
      'INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ($1, $1, 0, $2)',
      [id, new Date(NOW_MS)],
    )
    const webhook = { id: `of-${id}`, accountId: id, url: 'https://shop.example/hook' }
    const added = { ...webhook, createdAtMs: NOW_MS, disabledAtMs: undefined, timesEnabled: 0 }
    await store.tryAdd({ ...added, secretVersion: 1, overlapUntilMs: undefined }, 9)
  }
  await database.query('UPDATE accounts SET disabled_at = $2 WHERE id = $1', [
    'shop',
    new Date(LATER_MS),
  ])
  const disabledAt = async (id: string) => (await store.list(id)).map((one) => one.disabledAtMs)
  expect(await disabledAt('shop')).toEqual([LATER_MS])
  expect(await disabledAt('other')).toEqual([undefined])
})
