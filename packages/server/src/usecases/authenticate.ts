import type { Scope } from '@sotto/contract'
import { timingSafeEqual } from 'node:crypto'
import type { Account, AccountStore, ApiKeyRecord } from '../ports/account-store.ts'
import type { Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import { parseApiKey } from './api-key.ts'
import type { KnownKeys } from './known-keys.ts'
import { ServiceError } from './service-error.ts'

/** Who asks, and what the key may do. */
export interface Caller {
  readonly account: Account
  readonly keyId: string
  readonly scopes: readonly string[]
}

export interface AuthenticateDependencies {
  readonly accounts: AccountStore
  readonly secrets: Secrets
  readonly clock: Clock
  readonly knownKeys: KnownKeys
  /** Keys of the other mode are refused: a test key must not move real funds. */
  readonly keyMode: 'live' | 'test'
}

const NO_HMAC = new Uint8Array(32)

/**
 * Finds the caller by the Authorization header. Unknown keys take as long as known ones.
 *
 * @throws ServiceError UNAUTHORIZED, whatever the reason.
 */
export async function authenticate(
  d: AuthenticateDependencies,
  header: string | undefined,
): Promise<Caller> {
  const key = parseApiKey(/^Bearer ([^ ]+)$/i.exec(header ?? '')?.[1] ?? '')
  if (key === undefined) throw new ServiceError('UNAUTHORIZED')
  const record = await findProven(d, key.keyId, await d.secrets.apiKeyHmac(key.secret))
  if (record === undefined || record.isRevoked || record.account.isDisabled) {
    throw new ServiceError('UNAUTHORIZED')
  }
  const isOver = record.expiresAtMs !== undefined && record.expiresAtMs <= d.clock.nowMs()
  if (isOver || record.mode !== key.mode || record.mode !== d.keyMode) {
    throw new ServiceError('UNAUTHORIZED')
  }
  return { account: record.account, keyId: record.keyId, scopes: record.scopes }
}

/** The key's record, if the secret is its own. */
async function findProven(
  { accounts, clock, knownKeys }: AuthenticateDependencies,
  keyId: string,
  hmac: Uint8Array,
): Promise<ApiKeyRecord | undefined> {
  const askedAtMs = clock.nowMs()
  const known = knownKeys.find(keyId, askedAtMs)
  if (known !== undefined && timingSafeEqual(hmac, known.secretHmac)) return known
  const record = await accounts.findApiKey(keyId)
  const isSecret = timingSafeEqual(hmac, record?.secretHmac ?? NO_HMAC)
  if (record === undefined || !isSecret) return undefined
  knownKeys.keep(record, askedAtMs)
  return record
}

/** @throws ServiceError FORBIDDEN where the key lacks the scope. */
export function assertScope(caller: Caller, scope: Scope): void {
  if (!caller.scopes.includes(scope)) throw new ServiceError('FORBIDDEN')
}
