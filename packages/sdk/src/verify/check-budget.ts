import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from '@solana-program/compute-budget'
import type { DecodedInstruction } from './decode-order-message.ts'
import type { Findings } from './refusal.ts'

/** Tags and sizes of the instructions of the compute budget program, as defined in Solana's runtime. */
const SET_LIMIT = { tag: 2, size: 5 }
const SET_PRICE = { tag: 3, size: 9 }
const UNITS_MAX = 1_400_000n
const MICRO = 1_000_000n

/**
 * The default limit of the priority fee, in lamports. It is more than any setting of the service can cause: 120,000
 * units at 1,048,576 micro-lamports each are 125,830 lamports.
 */
export const PRIORITY_FEE_MAX = 200_000n

const viewOf = ({ data }: DecodedInstruction) =>
  new DataView(data.buffer, data.byteOffset, data.byteLength)

const isBudget = (instruction: DecodedInstruction | undefined, { tag, size } = SET_LIMIT) =>
  instruction?.program === COMPUTE_BUDGET_PROGRAM_ADDRESS &&
  instruction.accounts.length === 0 &&
  instruction.data.length === size &&
  instruction.data[0] === tag

/** The number of leading instructions that set the compute budget: 1 for the limit alone, 2 for limit and price. */
export function countBudget(instructions: readonly DecodedInstruction[]): number {
  if (!isBudget(instructions[0])) return 0
  return isBudget(instructions[1], SET_PRICE) ? 2 : 1
}

/**
 * Checks the priority fee. The sender pays this fee even if the deposit fails, so an excessive fee would drain the
 * wallet.
 */
export function checkBudget(
  findings: Findings,
  budget: readonly DecodedInstruction[],
  feeMaxLamports: bigint,
): void {
  const [limit, price] = budget
  const units = limit === undefined ? UNITS_MAX : BigInt(viewOf(limit).getUint32(1, true))
  const microLamports = price === undefined ? 0n : viewOf(price).getBigUint64(1, true)
  const lamports = (units * microLamports + MICRO - 1n) / MICRO
  findings.demand(units <= UNITS_MAX, 'compute_budget', 'the compute limit exceeds the maximum')
  findings.demand(
    lamports <= feeMaxLamports,
    'compute_budget',
    'the priority fee is higher than allowed',
  )
}
