import { feeOf } from '../chain/compute-budget.ts'
import type { Chain } from '../chain/chain.ts'
import type { DecodedTransaction } from '../chain/decoded-transaction.ts'
import { resolveLookups } from '../chain/lookup-tables.ts'
import type { Outcome, Simulation } from '../chain/runtime.ts'
import { readTokenBalances } from '../chain/token-balances.ts'
import { renderReturnData } from './render-outcome.ts'
import { renderTokenBalance } from './render-transaction.ts'

/** The outcome of a transaction that the chain refuses before running it. */
export function refusedOutcome(err: string): Simulation {
  const nothing = { logs: [], inner: [], unitsConsumed: 0n, returnData: null }
  return { err, ...nothing, postAccounts: new Map() }
}

/** The error for a transaction with missing or wrong signatures. */
export const SIGNATURE_FAILURE = 'SignatureFailure'

/** The members that are common to a simulation and a failed preflight. Members with an unknown value are null. */
export function renderOutcome(outcome: Outcome, decoded: DecodedTransaction) {
  return {
    err: outcome.err,
    logs: outcome.logs,
    unitsConsumed: outcome.unitsConsumed,
    // The runtime doesn't report this value.
    loadedAccountsDataSize: null,
    returnData: renderReturnData(outcome) ?? null,
    fee: isCharged(outcome) ? feeOf(decoded) : null,
    accounts: null,
    innerInstructions: null,
    replacementBlockhash: null,
    preBalances: null,
    postBalances: null,
    preTokenBalances: null,
    postTokenBalances: null,
    loadedAddresses: null,
  }
}

/**
 * The errors of loading programs and accounts. The payer pays the fee although these errors are plain strings. Every
 * other plain string is an error that occurs before the fee is charged.
 */
const FEES_ONLY: readonly unknown[] = [
  'ProgramAccountNotFound',
  'InvalidProgramForExecution',
  'MaxLoadedAccountsDataSizeExceeded',
]

const isCharged = ({ err }: Outcome): boolean =>
  err === null || typeof err === 'object' || FEES_ONLY.includes(err)

/**
 * The lamports and token balances before and after a simulation in the bank at `slot`, and the addresses that were
 * loaded from lookup tables.
 */
export function renderBalances(
  simulation: Simulation,
  decoded: DecodedTransaction,
  slot: number,
  chain: Chain,
) {
  const view = chain.view(slot)
  const read = view.read.bind(view)
  const loadedAddresses = resolveLookups(decoded.lookups, read)
  // A validator verifies signatures before it reads any account.
  if (simulation.err === SIGNATURE_FAILURE) return { loadedAddresses }
  const keys = [...decoded.staticAccounts, ...loadedAddresses.writable, ...loadedAddresses.readonly]
  const before = keys.map(read)
  const after = keys.map((key) => simulation.postAccounts.get(key) ?? read(key))
  const isPaidOnly = simulation.err !== null && isCharged(simulation)
  const lamports = after.map((account) => account?.lamports ?? 0n)
  const [payer = 0n, ...others] = lamports
  return {
    preBalances: before.map((account) => account?.lamports ?? 0n),
    // A failed transaction changes no balance except that the payer pays the fee.
    postBalances: isPaidOnly ? [payer - feeOf(decoded), ...others] : lamports,
    preTokenBalances: readTokenBalances(keys, before, read).map(renderTokenBalance),
    postTokenBalances: readTokenBalances(keys, after, read).map(renderTokenBalance),
    loadedAddresses,
  }
}
