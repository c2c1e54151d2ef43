import type { Access } from '@sotto/contract'
import { timingSafeEqual } from 'node:crypto'
import type { Account, AccountStore, ApiKeyRecord } from '../../ports/account-store.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { keyIdOf, parseApiKey } from './api-key.ts'
import type { KnownKeys } from './known-keys.ts'
import { ServiceError } from '../service-error.ts'

/** The caller of a request, with the scopes of the key. */
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
  /** The mode of accepted keys. Keys of the other mode are refused, because a test key must not move real funds. */
  readonly keyMode: 'live' | 'test'
}

const NO_HMAC = new Uint8Array(32)

/**
 * Finds the caller by the Authorization header. An unknown key takes as long as a known key with a wrong secret.
 *
 * @throws ServiceError UNAUTHORIZED for every refused header.
 */
export function authenticate(
  d: AuthenticateDependencies,
  header: string | undefined,
): MaybePromise<Caller> {
  const text = /^Bearer ([^ ]+)$/i.exec(header ?? '')?.[1] ?? ''
  const known = d.knownKeys.find(keyIdOf(text), text)
  if (known !== undefined) return callerOf(d, known)
  return prove(d, text).then((record) => callerOf(d, record))
}

function callerOf(
  d: Pick<AuthenticateDependencies, 'clock' | 'keyMode'>,
  record: ApiKeyRecord | undefined,
): Caller {
  if (record === undefined || record.isRevoked || record.account.isDisabled) {
    throw new ServiceError('UNAUTHORIZED')
  }
  const isOver = record.expiresAtMs !== undefined && record.expiresAtMs <= d.clock.nowMs()
  if (isOver || record.mode !== d.keyMode) throw new ServiceError('UNAUTHORIZED')
  return { account: record.account, keyId: record.keyId, scopes: record.scopes }
}

/** Returns the database's record of a key, or undefined if the secret in the key's text is wrong. */
async function prove(
  { accounts, clock, knownKeys, secrets }: AuthenticateDependencies,
  text: string,
): Promise<ApiKeyRecord | undefined> {
  const key = parseApiKey(text)
  if (key === undefined) return undefined
  const hmac = await secrets.apiKeyHmac(key.secret)
  const askedAtMs = clock.nowMs()
  const record = await accounts.findApiKey(key.keyId)
  const isSecret = timingSafeEqual(hmac, record?.secretHmac ?? NO_HMAC)
  if (record === undefined || !isSecret || record.mode !== key.mode) return undefined
  knownKeys.keep(record, text, askedAtMs)
  return record
}

/** @throws ServiceError FORBIDDEN if the key lacks the scope. */
export function assertScope(caller: Caller, scope: Access): void {
  if (scope !== 'public' && !caller.scopes.includes(scope)) throw new ServiceError('FORBIDDEN')
}
