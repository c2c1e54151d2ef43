import {
  ComputeBudgetInstruction,
  identifyComputeBudgetInstruction,
  parseSetComputeUnitLimitInstruction,
  parseSetComputeUnitPriceInstruction,
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
} from '@solana-program/compute-budget'
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  decodeDeposit,
  instructionsOf,
  RECENT,
  parseWhole,
  settlementsOf,
  type Address,
  type RanInstruction,
  type RanSettlement,
  type TransactionRecord,
} from '@sotto/protocol'
import type {
  FailedSettlement,
  SeenDeposit,
  SeenLayout,
  SeenSettlement,
  Sightings,
} from './sightings.ts'

/** A transaction in a block that names the pool's tree account. */
export interface ReadTransaction {
  readonly signature: string
  /** The block's time, in seconds since 1970. */
  readonly seconds: number
  readonly record: TransactionRecord
}

/** The token accounts that settlements have paid. Native SOL is paid to no token account. */
export function paidTokenAccounts(
  program: Address,
  history: readonly ReadTransaction[],
): ReadonlySet<Address> {
  const settlements = history.flatMap(({ record }) => settlementsOf(program, record))
  const tokens = settlements.filter(({ tokenProgram }) => tokenProgram !== undefined)
  return new Set(tokens.map(({ payeeAccount }) => payeeAccount))
}

/**
 * Decodes the whole history of the tree, oldest transaction first, into the sightings of an observer. `opened` has the
 * time at which each paid token account was opened.
 */
export function decodeHistory(
  program: Address,
  history: readonly ReadTransaction[],
  untilSeconds: number,
  opened: ReadonlyMap<Address, number> = new Map(),
): Sightings {
  const deposits: SeenDeposit[] = []
  const settlements: SeenSettlement[] = []
  const leafSeconds: number[] = []
  for (const transaction of history) {
    const { record, seconds } = transaction
    for (const { data, accounts } of instructionsOf(record, program)) {
      const deposit = decodeDeposit(data, accounts)
      if (deposit === undefined) continue
      const { destinationAsset: asset, deadline, ...rest } = deposit
      const place = { index: deposits.length, leafIndex: leafSeconds.length }
      deposits.push({ ...rest, ...place, asset, seconds, deadline: wholeOf(deadline) })
      leafSeconds.push(seconds)
    }
    for (const settlement of settlementsOf(program, record)) {
      const place = { index: settlements.length, leafIndex: leafSeconds.length }
      const accountSeconds = opened.get(settlement.payeeAccount)
      const seen = seenSettlement(transaction, settlement, place.leafIndex)
      settlements.push({ ...seen, ...place, accountSeconds })
      leafSeconds.push(seconds)
    }
  }
  const relayers = new Set(settlements.map(({ relayer }) => relayer))
  const failed = history
    .flatMap((one) => failedSettlements(program, one))
    .filter(({ relayer }) => relayers.has(relayer))
  return { deposits, settlements, failed, leafSeconds, untilSeconds }
}

/** The settlements of a transaction that failed in a block; none if the transaction succeeded. */
function failedSettlements(
  program: Address,
  { seconds, record }: ReadTransaction,
): FailedSettlement[] {
  const { meta } = record
  const relayer = record.transaction.message.accountKeys[0]
  if (meta === null || meta.err === null || relayer === undefined) return []
  // The instructions are decoded as if they had been executed.
  const { loadedAddresses = null } = meta
  const asExecuted = { ...record, meta: { err: null, loadedAddresses } }
  try {
    return settlementsOf(program, asExecuted).map(({ asset, payee, isRefund, nullifier }) => ({
      ...{ seconds, asset, payee, isRefund, nullifier, relayer },
    }))
  } catch {
    // The program may not have checked the data of a failed transaction, so the data may be malformed.
    return []
  }
}

function seenSettlement(
  { signature, seconds, record }: ReadTransaction,
  settlement: RanSettlement,
  leafIndex: number,
): Omit<SeenSettlement, 'index' | 'leafIndex' | 'accountSeconds'> {
  const { asset, payee, payout, fee, isRefund, nullifier, changeLeaf, root } = settlement
  const relayer = record.transaction.message.accountKeys[0]
  if (relayer === undefined) throw new Error('a transaction names no fee payer')
  return {
    ...{ signature, seconds, asset, payee, payout, fee, isRefund, nullifier, changeLeaf, relayer },
    time: wholeOf(settlement.time),
    rootLeaf: root.kind === 'recent' ? rootLeafOf(root.index, leafIndex) : undefined,
    layout: layoutOf(record),
  }
}

/**
 * Returns the newest leaf before `leafIndex` whose root was written to this position of the ring of recent roots. Newer
 * roots overwrite older roots. Undefined if no root was written to the position yet.
 */
function rootLeafOf(position: number, leafIndex: number): number | undefined {
  const newest = leafIndex - 1
  const leaf = newest - ((((newest - position) % RECENT) + RECENT) % RECENT)
  return leaf < 0 ? undefined : leaf
}

function layoutOf(record: TransactionRecord): SeenLayout {
  // Inner instructions are left out, because they depend only on the payee's account, which is public anyway.
  const meta = record.meta === null ? null : { err: record.meta.err }
  const instructions: readonly RanInstruction[] = instructionsOf({ ...record, meta })
  let unitLimit: number | undefined
  let unitPrice: bigint | undefined
  const programs: Address[] = []
  let opensAccount = false
  for (const { program, data } of instructions) {
    if (program === ASSOCIATED_TOKEN_PROGRAM_ADDRESS) opensAccount = true
    else programs.push(program)
    if (program !== COMPUTE_BUDGET_PROGRAM_ADDRESS) continue
    const instruction = { programAddress: COMPUTE_BUDGET_PROGRAM_ADDRESS, data }
    const kind = identifyComputeBudgetInstruction(instruction)
    if (kind === ComputeBudgetInstruction.SetComputeUnitLimit) {
      unitLimit = parseSetComputeUnitLimitInstruction(instruction).data.units
    } else if (kind === ComputeBudgetInstruction.SetComputeUnitPrice) {
      unitPrice = parseSetComputeUnitPriceInstruction(instruction).data.microLamports
    }
  }
  return { unitLimit, unitPrice, programs: programs.join(' '), opensAccount }
}

/** Converts a time or a position from the chain to a number. */
export const wholeOf = (number: bigint): number => parseWhole(number.toString())
