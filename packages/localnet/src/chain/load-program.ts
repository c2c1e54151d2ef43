import type { Address } from '@solana/kit'
import { getAddressDecoder, getAddressEncoder } from '@solana/kit'
import type { Account } from './account.ts'
import type { Runtime } from './runtime.ts'

/** A program that is loaded when the chain is created, or at the start of a later run. */
export interface Program {
  readonly address: Address
  readonly bytes: Uint8Array
  /** The authority that may upgrade the program. With null, the program is immutable. */
  readonly upgradeAuthority: Address | null
}

export const UPGRADEABLE_LOADER = 'BPFLoaderUpgradeab1e11111111111111111111111' as Address

/** Layout of the loader's accounts (solana-loader-v3-interface): tag u32, then the fields. */
const PROGRAM_TAG = 2
const PROGRAM_DATA_TAG = 3
const ADDRESS_OFFSET = 4
const AUTHORITY_FLAG_OFFSET = 12
const AUTHORITY_OFFSET = 13

/** Thrown if the bytes aren't a program that the runtime can load. */
export class UnloadableProgram extends Error {}

/**
 * Loads a program under the upgradeable loader and writes its upgrade authority.
 * Throws UnloadableProgram.
 */
export function loadProgram(runtime: Runtime, program: Program): void {
  try {
    runtime.loadProgram(program.address, program.bytes)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `program ${program.address} can't be loaded: ${why}. Is the file a built .so?`
    throw new UnloadableProgram(message, { cause })
  }
  const dataAddress = readDataAddress(runtime.readAccount(program.address))
  const account = dataAddress === null ? null : runtime.readAccount(dataAddress)
  if (dataAddress === null || account === null) {
    throw new Error(`program ${program.address} was not loaded under the upgradeable loader`)
  }
  if (program.upgradeAuthority === null) return
  const data = Uint8Array.from(account.data)
  data[AUTHORITY_FLAG_OFFSET] = 1
  data.set(getAddressEncoder().encode(program.upgradeAuthority), AUTHORITY_OFFSET)
  runtime.writeAccount(dataAddress, { ...account, data })
}

/**
 * Makes the runtime compile programs again if their code changed on chain. The runtime caches compiled programs. It
 * reads the code again only after a write to the program's own account.
 */
export function reloadPrograms(
  runtime: Runtime,
  changed: ReadonlyMap<Address, Account | null>,
): void {
  const hasNewCode = [...changed.values()].some(
    (account) => account?.owner === UPGRADEABLE_LOADER && tagOf(account) === PROGRAM_DATA_TAG,
  )
  if (!hasNewCode) return
  for (const [address, account] of runtime.readOwnedBy(UPGRADEABLE_LOADER)) {
    const dataAddress = readDataAddress(account)
    if (dataAddress !== null && changed.has(dataAddress)) runtime.writeAccount(address, account)
  }
}

function readDataAddress(account: Account | null): Address | null {
  if (account === null || tagOf(account) !== PROGRAM_TAG) return null
  return getAddressDecoder().decode(account.data, ADDRESS_OFFSET)
}

function tagOf(account: Account): number {
  return account.data.length < ADDRESS_OFFSET ? -1 : Buffer.from(account.data).readUInt32LE(0)
}
