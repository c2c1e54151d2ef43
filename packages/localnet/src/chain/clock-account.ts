import type { Address } from '@solana/kit'
import type { Account } from './account.ts'
import { SLOTS_PER_EPOCH } from './epoch.ts'

export const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111' as Address
const CLOCK_BYTES = 40

/** The Clock sysvar's account for a block (layout: solana-clock). */
export function clockAccount(slot: number, unixTime: number): Account {
  const epoch = BigInt(Math.floor(slot / SLOTS_PER_EPOCH))
  const data = Buffer.alloc(CLOCK_BYTES)
  data.writeBigUInt64LE(BigInt(slot), 0)
  data.writeBigUInt64LE(epoch, 16)
  data.writeBigUInt64LE(epoch + 1n, 24)
  data.writeBigInt64LE(BigInt(unixTime), 32)
  return { lamports: 1_169_280n, owner: SYSVAR_OWNER, executable: false, data }
}
