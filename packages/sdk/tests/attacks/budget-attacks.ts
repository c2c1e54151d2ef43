import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  getRequestHeapFrameInstruction,
} from '@solana-program/compute-budget'
import { AccountRole, type Instruction } from '@solana/kit'
import { byTransaction, type Attack } from './attack.ts'
import { THIEF_ACCOUNT } from './thief.ts'

/** Replaces the instruction that sets the compute limit. It is the first instruction. */
const insteadOfLimit = (name: string, change: (limit: Instruction) => Instruction): Attack =>
  byTransaction(name, 'instructions', {
    instructions: ([limit, ...others]) => [change(limit!), ...others],
  })

/** Attacks on the transaction's cost, which the sender pays even if the deposit fails. */
export const budgetAttacks: readonly Attack[] = [
  byTransaction('the priority fee drains the sender', 'compute_budget', {
    microLamports: 10_000_000_000n,
  }),
  byTransaction('the priority fee is high only in its last byte', 'compute_budget', {
    microLamports: 1n << 56n,
  }),
  byTransaction('the compute limit is beyond any budget', 'compute_budget', {
    units: 4_000_000_000,
  }),
  insteadOfLimit('another program poses as the compute limit', (limit) => ({
    ...limit,
    programAddress: THIEF_ACCOUNT,
  })),
  insteadOfLimit('the compute limit names an account', (limit) => ({
    ...limit,
    accounts: [{ address: THIEF_ACCOUNT, role: AccountRole.READONLY }],
  })),
  insteadOfLimit('the compute limit is a byte longer', (limit) => ({
    ...limit,
    data: new Uint8Array([...limit.data!, 0]),
  })),
  insteadOfLimit('more heap is asked for instead of a compute limit', () => ({
    ...getRequestHeapFrameInstruction({ bytes: 65_536 }),
    programAddress: COMPUTE_BUDGET_PROGRAM_ADDRESS,
  })),
]
