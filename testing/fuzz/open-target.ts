import { NATIVE_MINT } from '@sotto/protocol'
import { startHttpStack, type HttpStack } from '../../packages/server/tests/http/http-stack.ts'
import { PROGRAM } from '../../packages/server/tests/settlement/stack/localnet-process.ts'
import { makeWallet } from '../../packages/server/tests/settlement/stack/wallet.ts'
import type { FuzzTarget } from './target.ts'

/**
 * A rate limit that is never reached. Refusals because of a limit would hide other behaviour. Rate limits have their
 * own tests.
 */
const PLENTY = { perSecond: 100_000, burst: 100_000 }
/**
 * The time for which the service waits for a body. It is short, so that bodies that never arrive don't delay the run.
 */
const ARRIVAL_MS = 1_000
const DAY_MS = 86_400_000
/** A limit of open swaps that no run reaches. */
const OPEN_SWAPS = '1000000'

export interface OpenedTarget {
  readonly stack: HttpStack
  readonly target: FuzzTarget
  readonly close: () => Promise<void>
}

type Made = { apiKey: string; keyId: string }

/** The service over HTTP on an embedded chain and database, with every kind of key. */
export async function openTarget(): Promise<OpenedTarget> {
  const limits = { rateLimit: PLENTY, failureLimit: PLENTY, arrivalMs: ARRIVAL_MS }
  const stack = await startHttpStack(undefined, limits)
  const add = (account: string, ...words: string[]) =>
    stack.operate<Made>('key', 'add', '--account', account, ...words)
  const open = ['--open-swaps-max', OPEN_SWAPS, '--open-orders-max', OPEN_SWAPS]
  await stack.operate(
    'account',
    'add',
    '--id',
    'fuzz',
    '--name',
    'F',
    '--fee-bps-max',
    '100',
    ...open,
  )
  await stack.operate('account', 'add', '--id', 'other', '--name', 'O', ...open)
  const partner = ['--account', 'fuzz', '--address', stack.partner.address]
  await stack.operate('fee-recipient', 'add', ...partner)
  const revoked = await add('fuzz')
  await stack.operate('key', 'revoke', '--key', revoked.keyId)
  const expired = await add('fuzz', '--expires-in-days', '1')
  await stack.database.query('UPDATE api_keys SET expires_at = $1 WHERE id = $2', [
    new Date(Date.now() - DAY_MS),
    expired.keyId,
  ])
  const addresses = (count: number) => Array.from({ length: count }, () => makeWallet().address)
  const target: FuzzTarget = {
    baseUrl: stack.baseUrl,
    keys: {
      own: (await add('fuzz')).apiKey,
      other: (await add('other')).apiKey,
      reader: (await add('fuzz', '--scopes', 'read')).apiKey,
    },
    badKeys: [revoked.apiKey, expired.apiKey, `sotto_test_${'0'.repeat(12)}_${'0'.repeat(49)}`],
    assets: [NATIVE_MINT, stack.usdc],
    senders: [stack.sender.address, ...addresses(2)],
    recipients: addresses(4),
    partner: stack.partner.address,
    unpayable: [PROGRAM, stack.usdc, stack.denied.address],
  }
  return { stack, target, close: () => stack.close() }
}
