import { Command } from 'commander'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { registerAccountCommands } from '../../src/operator/account/account-commands.ts'
import { registerKeyCommands } from '../../src/operator/account/key-commands.ts'
import type { OperatorContext, WithContext } from '../../src/operator/context.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import { openMigrated } from '../migrated-database.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-01-01T00:00:00Z')

interface Made {
  readonly keyId: string
  readonly expiresAt: string | null
  readonly endsAt?: string
}

let database: Database
let nowMs = NOW_MS
beforeAll(async () => {
  database = await openMigrated()
  await key('account', 'add', '--id', 'shop', '--name', 'Shop')
})
afterAll(() => database.close())

async function key(...words: string[]): Promise<Made> {
  let printed: object = {}
  const clock = { nowMs: () => nowMs, sleep: async () => undefined }
  const context = { database, clock, out: (result: object) => (printed = result) }
  const withContext: WithContext = (work) => work(context as unknown as OperatorContext)
  const secrets = { apiKeyHmac: async () => new Uint8Array(32) } as unknown as Secrets
  const program = new Command('sotto-server').exitOverride()
  registerAccountCommands(program, withContext)
  const parts = { random: systemRandom, secrets: () => secrets, keyMode: () => 'test' as const }
  registerKeyCommands(program, withContext, parts)
  await program.parseAsync(words, { from: 'user' })
  return printed as Made
}

/** Makes a key that ends after some days, or never. */
function add(days?: number): Promise<Made> {
  nowMs = NOW_MS
  const expiry = days === undefined ? [] : ['--expires-in-days', `${days}`]
  return key('key', 'add', '--account', 'shop', ...expiry)
}

const rotate = ({ keyId }: Made, ...words: string[]) =>
  key('key', 'rotate', '--key', keyId, ...words)
const after = (days: number) => new Date(NOW_MS + days * DAY_MS).toISOString()

it('refuses a key that has ended', async () => {
  const old = await add(10)
  nowMs = NOW_MS + 10 * DAY_MS
  const refused = rotate(old, '--never')
  await expect(refused).rejects.toThrow(`the key ${old.keyId} expired at ${after(10)}`)
  nowMs = NOW_MS + 10 * DAY_MS - 1
  expect(await rotate(old, '--never')).toMatchObject({ expiresAt: null })
})

it('requires the end of the new key if the old key has an end', async () => {
  await expect(rotate(await add(10))).rejects.toThrow('--expires-in-days or --never')
})

it('gives the new key its own end', async () => {
  expect(await rotate(await add(10), '--expires-in-days', '30')).toMatchObject({
    ...{ expiresAt: after(30), endsAt: after(1) },
  })
})

it('prints the old key’s own end if it comes before the end of the overlap', async () => {
  const old = await add(1)
  nowMs = NOW_MS + DAY_MS / 2
  expect(await rotate(old, '--never')).toMatchObject({ expiresAt: null, endsAt: after(1) })
})

it('makes a key without an end if the old key had none', async () => {
  expect(await rotate(await add())).toMatchObject({ expiresAt: null, endsAt: after(1) })
})

it('refuses a key that was revoked', async () => {
  const old = await add()
  await key('key', 'revoke', '--key', old.keyId)
  await expect(rotate(old)).rejects.toThrow(`the key ${old.keyId} was revoked`)
})
