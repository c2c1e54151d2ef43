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
    .action((options: { key: string; overlapSeconds: number }) =>
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
  const days = options.expiresInDays
  const expiresAt = days === undefined ? null : new Date(clock.nowMs() + days * DAY_MS)
  const terms = { account: options.account, mode, scopes: scopes.join(' '), expiresAt }
  context.out(await insertKey(database, context, parts, terms))
}

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
  return { account, keyId: key.keyId, apiKey: formatApiKey(key), scopes }
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
  if (rows.length === 0) throw new OperatorError(`there is no key ${id}`)
  out({ keyId: id, revoked: true })
}

async function rotateKey(
  context: OperatorContext,
  parts: AccountParts,
  { key: id, overlapSeconds }: { key: string; overlapSeconds: number },
) {
  const { database, clock } = context
  const made = await database.transaction(async (sql) => {
    const [row] = await sql.query<KeyRow>(`${LIST} WHERE id = $1`, [id])
    if (row === undefined || row.revoked_at !== null) {
      throw new OperatorError(`there is no key ${id} that still works`)
    }
    const endsAt = new Date(clock.nowMs() + overlapSeconds * 1_000)
    await sql.query(
      'UPDATE api_keys SET expires_at = least(coalesce(expires_at, $2), $2) WHERE id = $1',
      [id, endsAt],
    )
    const { account_id: account, mode, scopes } = row
    const terms = { account, mode, scopes, expiresAt: null }
    return {
      ...(await insertKey(sql, context, parts, terms)),
      replaces: id,
      endsAt: endsAt.toISOString(),
    }
  })
  context.out(made)
}
