import { CLOCK_SYSVAR } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { getBase58Encoder } from '@solana/kit'
import type { Account } from './account.ts'
import { heightOfSlot, slotOfHeight } from './block-schedule.ts'
import type { BlockTimes } from './block-times.ts'
import { SYSVAR_OWNER, clockAccount } from './clock-account.ts'
import type { RecentBlockhashes } from './recent-blockhashes.ts'
import type { Runtime, SlotHashEntry } from './runtime.ts'

export const SLOT_HASHES_SYSVAR = 'SysvarS1otHashes111111111111111111111111111' as Address

/** Maximum number of entries in the SlotHashes sysvar, and the size of its account (layout: solana-slot-hashes). */
const MAX_ENTRIES = 512
const HEAD_BYTES = 8
const ENTRY_BYTES = 40
const SLOT_HASHES_LAMPORTS = 143_487_360n

const base58 = getBase58Encoder()

/**
 * The sysvars that change in every block. They are computed from the slot, so no earlier versions are stored. A read at
 * any slot computes them again. The chain writes them into the runtime before each run.
 */
export class SlotSysvars {
  readonly #times: BlockTimes
  readonly #blockhashes: RecentBlockhashes

  constructor(times: BlockTimes, blockhashes: RecentBlockhashes) {
    this.#times = times
    this.#blockhashes = blockhashes
  }

  /** The account of a sysvar in the block at this slot; undefined for any other address. */
  accountAt(address: Address, slot: number): Account | undefined {
    if (address === CLOCK_SYSVAR) return clockAccount(slot, this.#times.near(slot))
    if (address === SLOT_HASHES_SYSVAR) return slotHashesAccount(this.#slotHashes(slot))
    return undefined
  }

  /** The accounts of all these sysvars in the block at this slot. */
  accountsAt(slot: number): [Address, Account][] {
    return [CLOCK_SYSVAR, SLOT_HASHES_SYSVAR].flatMap((address): [Address, Account][] => {
      const account = this.accountAt(address, slot)
      return account === undefined ? [] : [[address, account]]
    })
  }

  /** Makes the runtime execute the next transactions in the block at this slot. */
  apply(runtime: Runtime, slot: number): void {
    runtime.setClock(slot, this.#times.near(slot))
    runtime.setSlotHashes(this.#slotHashes(slot))
  }

  /** The slot hashes, newest first. The list has only earlier blocks, because a block can't contain its own hash. */
  #slotHashes(slot: number): SlotHashEntry[] {
    const height = heightOfSlot(slot)
    return Array.from({ length: Math.min(MAX_ENTRIES, height) }, (_, index) => {
      const each = slotOfHeight(height - 1 - index)
      return { slot: each, hash: this.#blockhashes.hashOf(each) }
    })
  }
}

function slotHashesAccount(entries: readonly SlotHashEntry[]): Account {
  const data = Buffer.alloc(HEAD_BYTES + MAX_ENTRIES * ENTRY_BYTES)
  data.writeBigUInt64LE(BigInt(entries.length), 0)
  entries.forEach(({ slot, hash }, index) => {
    const at = HEAD_BYTES + index * ENTRY_BYTES
    data.writeBigUInt64LE(BigInt(slot), at)
    data.set(base58.encode(hash), at + 8)
  })
  return { lamports: SLOT_HASHES_LAMPORTS, owner: SYSVAR_OWNER, executable: false, data }
}
