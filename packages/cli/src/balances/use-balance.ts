import type { Balance, BalanceService, StoredBalance, StoredPayment } from '@sotto/sdk/balance'
import type { QuoteResponse } from '@sotto/sdk/server'
import { CliError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { EXIT } from '../exit-codes.ts'
import { balanceStore, unknownBalance } from './balance-files.ts'
import { serviceOf } from './service-of.ts'

export interface UseOptions {
  /** Seconds between two polls. */
  readonly interval: number
  readonly approve: (quoted: QuoteResponse) => boolean | Promise<boolean>
  /** The service to use. By default, the service that the settings name. */
  readonly service?: BalanceService
}

export interface UsedBalance {
  readonly balance: Balance
  /** Payments that an earlier command signed and that have landed since. */
  readonly madeBefore: readonly StoredPayment[]
}

/** The store's content for a balance whose deposit has landed. @throws CliError. */
export async function readOpened(home: string, name: string): Promise<StoredBalance> {
  const { storedBalance } = await import('@sotto/sdk/balance')
  const stored = await storedBalance(balanceStore(home, name))
  if (stored === undefined) throw unknownBalance(name)
  if (stored.topUp === null) return stored
  const isUnpaid = stored.topUp === 'done'
  const message = isUnpaid
    ? `the deposit of the balance "${name}" was never paid`
    : `the deposit of the balance "${name}" isn't finished`
  const next = isUnpaid
    ? `make another deposit with: sotto balance open ${name} <amount> <asset>`
    : `finish it with: sotto balance open ${name}`
  throw new CliError(EXIT.refused, 'BALANCE_NOT_OPENED', message, next)
}

/**
 * Opens a balance of this machine for payments. If an earlier command signed a payment, the function first waits
 * until that payment has ended. If that payment can't land, this takes up to 20 minutes. @throws CliError.
 */
export async function useBalance(
  context: CliContext,
  name: string,
  { interval, approve, service }: UseOptions,
): Promise<UsedBalance> {
  const { settings, signal, output } = context
  const before = await readOpened(settings.home, name)
  const signed = before.payments.filter(({ step }) => step === 'signed')
  if (signed.length > 0) {
    output.progress.doing('waiting for the end of a payment that an earlier command signed')
  }
  const { openBalance } = await import('@sotto/sdk/balance')
  const opening = openBalance({
    ...{ store: balanceStore(settings.home, name), programId: settings.programId, signal, approve },
    service: service ?? serviceOf(context),
    rpc: await context.rpc(),
    pollMs: interval * 1_000,
    // This list is needed only to verify a deposit, and this balance's deposit has already landed.
    acceptedPrograms: [],
  })
  if (signed.length === 0) return { balance: await opening, madeBefore: [] }
  const failed = (error: unknown) => uncertain(settings.home, name, error)
  const balance = await opening.catch(failed)
  // As long as one of these payments may land, no command may plan another payment in its place.
  await balance.resume().catch(failed)
  const { payments } = await readOpened(settings.home, name)
  const ids = new Set(signed.map(({ id }) => id))
  return {
    balance,
    madeBefore: payments.filter(({ id, step }) => ids.has(id) && step === 'paid'),
  }
}

/** Throws an error. If another transaction may have made the signed payment, the error names that transaction. */
async function uncertain(home: string, name: string, error: unknown): Promise<never> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code !== 'PAYMENT_UNCERTAIN') throw error
  const { unrecorded } = await readOpened(home, name)
  const proof = unrecorded.at(-1)?.signature ?? 'unknown'
  const message =
    'a payment that an earlier command signed may have been made by a transaction other than the ' +
    `signed one: ${proof}`
  const next =
    'find that transaction on the chain before you pay this payment again; you can make other payments now'
  throw new CliError(EXIT.refused, 'PAYMENT_UNCERTAIN', message, next, { cause: error })
}
