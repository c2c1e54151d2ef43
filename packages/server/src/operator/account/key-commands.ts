import { Option, type Command } from 'commander'
import type { Sql } from '../../adapters/store/sql.ts'
import { drawApiKey, formatApiKey } from '../../usecases/access/api-key.ts'
import type { AccountParts } from './account-parts.ts'
import { assertAccount } from './assert-account.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { parseCountOption, parseSecondsOption } from '../pool/pool-options.ts'

const DEFAULT_SCOPES = 'read,write'
const SCOPES = ['read', 'write']
const DAY_MS = 86_400_000
const OVERLAP_SECONDS = 86_400

interface AddOptions {
  readonly account: string
  readonly mode?: 'live' | 'test'
  readonly scopes: string
  readonly expiresInDays?: number
}

interface RotateOptions {
  readonly key: string
  readonly overlapSeconds: number
  readonly expiresInDays?: number
  readonly never?: boolean
}

/** `key add | list | revoke | rotate`: API keys. A key's secret is shown once and stored as an HMAC. */
export function registerKeyCommands(
  program: Command,
  withContext: WithContext,
  parts: AccountParts,
): void {
  const key = program.command('key').description('API keys.')
  key
    .command('add')
    .description('Make a key and print it. It cannot be printed again.')
    .requiredOption('--account <id>', 'the account')
    .addOption(
      new Option('--mode <mode>', 'default: the mode of this cluster').choices(['live', 'test']),
    )
    .option('--scopes <list>', 'read, write or both', DEFAULT_SCOPES)
    .option('--expires-in-days <days>', 'default: never', parseCountOption)
    .action((options: AddOptions) => withContext((context) => addKey(context, parts, options)))
  key
    .command('list')
    .description("List an account's keys, without their secrets.")
    .requiredOption('--account <id>', 'the account')
    .action(({ account }: { account: string }) =>
      withContext((context) => listKeys(context, account)),
    )
  key
    .command('revoke')
    .description('Refuse a key from now on.')
    .requiredOption('--key <id>', "the key's id")
    .action(({ key: id }: { key: string }) => withContext((context) => revokeKey(context, id)))
  key
    .command('rotate')
    .description('Make a key with the rights of an old key, and end the old key after an overlap.')
    .requiredOption('--key <id>', "the old key's id")
    .option(
      '--overlap-seconds <seconds>',
      'time during which both keys work',
      parseSecondsOption,
      OVERLAP_SECONDS,
    )
    .addOption(
      new Option('--expires-in-days <days>', 'days until the new key expires')
        .argParser(parseCountOption)
        .conflicts('never'),
    )
    .option('--never', 'the new key never expires; default if the old key never expires')
    .action((options: RotateOptions) =>
      withContext((context) => rotateKey(context, parts, options)),
    )
}

interface KeyTerms {
  readonly account: string
  readonly mode: 'live' | 'test'
  readonly scopes: string
  readonly expiresAt: Date | null
}

async function addKey(context: OperatorContext, parts: AccountParts, options: AddOptions) {
  const { database, clock } = context
  const mode = options.mode ?? parts.keyMode()
  if (mode !== parts.keyMode()) {
    throw new OperatorError(`this cluster accepts ${parts.keyMode()} keys only; omit --mode`)
  }
  const scopes = options.scopes.split(',').map((scope) => scope.trim())
  if (!scopes.every((scope) => SCOPES.includes(scope))) {
    throw new OperatorError('--scopes must be read, write or read,write')
  }
  await assertAccount(database, options.account)
  const expiresAt = endAfter(clock.nowMs(), options.expiresInDays)
  const terms = { account: options.account, mode, scopes: scopes.join(' '), expiresAt }
  context.out(await insertKey(database, context, parts, terms))
}

const endAfter = (nowMs: number, days: number | undefined): Date | null =>
  days === undefined ? null : new Date(nowMs + days * DAY_MS)

async function insertKey(
  sql: Sql,
  { clock }: OperatorContext,
  parts: AccountParts,
  { account, mode, scopes, expiresAt }: KeyTerms,
): Promise<object> {
  const key = drawApiKey(mode, parts.random)
  const hmac = await parts.secrets().apiKeyHmac(key.secret)
  await sql.query(
    `INSERT INTO api_keys (id, account_id, mode, secret_hmac, scopes, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [key.keyId, account, mode, hmac, scopes, new Date(clock.nowMs()), expiresAt],
  )
  const shown = { expiresAt: expiresAt?.toISOString() ?? null }
  return { account, keyId: key.keyId, apiKey: formatApiKey(key), scopes, ...shown }
}

interface KeyRow {
  readonly id: string
  readonly account_id: string
  readonly mode: 'live' | 'test'
  readonly scopes: string
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
}

const LIST = `SELECT id, account_id, mode, scopes, created_at, expires_at, revoked_at FROM api_keys`

async function listKeys({ database, out }: OperatorContext, account: string) {
  await assertAccount(database, account)
  const query = `${LIST} WHERE account_id = $1 ORDER BY created_at`
  const keys = (await database.query<KeyRow>(query, [account])).map((row) => ({
    keyId: row.id,
    mode: row.mode,
    scopes: row.scopes,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }))
  out({ account, keys })
}

async function revokeKey({ database, clock, out }: OperatorContext, id: string) {
  const rows = await database.query(
    'UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE id = $1 RETURNING id',
    [id, new Date(clock.nowMs())],
  )
  if (rows.length === 0) throw noKey(id)
  out({ keyId: id, revoked: true })
}

const noKey = (id: string): OperatorError =>
  new OperatorError(`there is no key ${id}; list an account's keys with: sotto-server key list`)

/** @throws OperatorError if the key doesn't work any more, or if the new key's expiry must be given. */
function assertRotatable(
  row: KeyRow | undefined,
  { key: id, expiresInDays, never }: RotateOptions,
  nowMs: number,
): asserts row is KeyRow {
  const next = 'make a new key with: sotto-server key add'
  if (row === undefined) throw noKey(id)
  if (row.revoked_at !== null) throw new OperatorError(`the key ${id} was revoked; ${next}`)
  if (row.expires_at === null) return
  const end = row.expires_at.toISOString()
  if (row.expires_at.getTime() <= nowMs) {
    throw new OperatorError(`the key ${id} expired at ${end}; ${next}`)
  }
  if (expiresInDays !== undefined || never === true) return
  throw new OperatorError(
    `the key ${id} expires at ${end}; choose the new key's expiry with --expires-in-days or --never`,
  )
}

async function rotateKey(context: OperatorContext, parts: AccountParts, options: RotateOptions) {
  const { database, clock } = context
  const { key: id, overlapSeconds, expiresInDays } = options
  const made = await database.transaction(async (sql) => {
    const nowMs = clock.nowMs()
    const [row] = await sql.query<KeyRow>(`${LIST} WHERE id = $1`, [id])
    assertRotatable(row, options, nowMs)
    const [ended] = await sql.query<{ readonly expires_at: Date }>(
      `UPDATE api_keys SET expires_at = least(coalesce(expires_at, $2), $2) WHERE id = $1
       RETURNING expires_at`,
      [id, new Date(nowMs + overlapSeconds * 1_000)],
    )
    const { account_id: account, mode, scopes } = row
    const terms = { account, mode, scopes, expiresAt: endAfter(nowMs, expiresInDays) }
    return {
      ...(await insertKey(sql, context, parts, terms)),
      replaces: id,
      endsAt: ended?.expires_at.toISOString(),
    }
  })
  context.out(made)
}
