import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { assertPepper } from '../../src/start/assert-pepper.ts'
import { openMigrated } from '../migrated-database.ts'

it('a service whose API keys have lost their pepper does not start, and makes no new pepper', async () => {
  const database = await openMigrated()
  const folder = await mkdtemp(join(tmpdir(), 'sotto-pepper-'))
  const open = () => openFileSecrets(folder, systemRandom)
  try {
    // A new service has neither keys nor a pepper.
    await assertPepper(database, open())
    await database.query(
      "INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ('acme', 'Acme', 0, now())",
      [],
    )
    await database.query(
      `INSERT INTO api_keys (id, account_id, mode, secret_hmac, scopes, created_at)
       VALUES ('key', 'acme', 'test', $1, 'read', now())`,
      [await open().apiKeyHmac('secret')],
    )
    await assertPepper(database, open())
    await rm(join(folder, 'pepper'))
    const started = assertPepper(database, open())
    await expect(started).rejects.toThrow('mount the keystore or restore its backup')
    expect(await open().hasPepper()).toBe(false)
    await database.query('UPDATE api_keys SET revoked_at = now()', [])
    await assertPepper(database, open())
  } finally {
    await database.close()
  }
})
