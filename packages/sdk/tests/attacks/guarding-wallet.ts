import type { Address } from '@sotto/protocol'
import {
  AccountRole,
  compileTransaction,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type AccountMeta,
  type Instruction,
  type KeyPairSigner,
  type Transaction,
} from '@solana/kit'
import type { WireSigner } from '../../wallet.ts'
import { THIEF } from './thief.ts'

export const LIGHTHOUSE = 'L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95' as Address

export const guard = (data: readonly number[], ...accounts: AccountMeta[]): Instruction => ({
  programAddress: LIGHTHOUSE,
  accounts,
  data: Uint8Array.from(data),
})
export const read = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY })

/** Lighthouse's AssertSysvarClock, which has no accounts. Its data: kind, log level, field, a u64, operator. */
export const clockGuard = () => guard([15, 0, 0, ...Array.from({ length: 8 }, () => 255), 5])
/** Lighthouse's AssertAccountInfo on the lamports of an account. */
export const lamportsGuard = (address: Address) =>
  guard([5, 0, 0, 64, 66, 15, 0, 0, 0, 0, 0, 4], read(address))
/** Lighthouse's AssertTokenAccountMulti with 52 bytes, as long as the longest guard seen on mainnet. */
export const tokenGuard = (address: Address) =>
  guard([10, 0, 4, ...Array.from({ length: 49 }, () => 1)], read(address))

/** The members of a compiled message that these tests change. */
interface Compiled {
  readonly header: {
    numReadonlyNonSignerAccounts: number
    readonly numReadonlySignerAccounts: number
    readonly numSignerAccounts: number
  }
  readonly staticAccounts: Address[]
  lifetimeToken: string
  readonly instructions: {
    programAddressIndex: number
    accountIndices?: number[]
    readonly data?: Uint8Array
  }[]
  addressTableLookups?: unknown[]
}

type Rebuild = (transaction: Transaction) => Transaction

/** Decompiles a transaction and compiles it again with other instructions, as wallets do. */
export const withInstructions =
  (change: (all: readonly Instruction[]) => readonly Instruction[], feePayer?: Address): Rebuild =>
  ({ messageBytes }) => {
    const compiled = getCompiledTransactionMessageDecoder().decode(messageBytes) as never
    const message = decompileTransactionMessage(compiled)
    const payer = feePayer === undefined ? message.feePayer : { address: feePayer }
    const changed = { ...message, feePayer: payer, instructions: change(message.instructions) }
    return compileTransaction(changed as never)
  }

/** Appends guards, then changes the compiled message. */
export const withMessage =
  (change: (message: Compiled) => void, ...guards: Instruction[]): Rebuild =>
  (transaction) => {
    const whole = withInstructions((all) => [...all, ...guards])(transaction)
    const decoded = getCompiledTransactionMessageDecoder().decode(whole.messageBytes)
    const message = structuredClone(decoded) as unknown as Compiled
    change(message)
    const messageBytes = getCompiledTransactionMessageEncoder().encode(message as never)
    return { ...whole, messageBytes: messageBytes as unknown as Transaction['messageBytes'] }
  }

/** A wallet that changes a transaction and signs the result. */
export const rebuildingWallet = (
  rebuild: Rebuild,
  ...signers: readonly KeyPairSigner[]
): WireSigner => ({
  address: signers[0]!.address,
  signWire: async (wire) => {
    const rebuilt = rebuild(getTransactionDecoder().decode(wire))
    let { signatures } = rebuilt
    for (const signer of signers) {
      const [made] = await signer.signTransactions([rebuilt as never])
      signatures = { ...signatures, ...made }
    }
    return new Uint8Array(getTransactionEncoder().encode({ ...rebuilt, signatures }))
  },
})

/** Adds an unused account to the message as read-only. */
export function listUnused({ staticAccounts, header }: Compiled): void {
  staticAccounts.push(THIEF)
  header.numReadonlyNonSignerAccounts += 1
}

/** Makes one read-only account writable. */
export function readOneLess({ header }: Compiled): void {
  header.numReadonlyNonSignerAccounts -= 1
}

/** Swaps the last writable account with the first read-only account, so that each has the other's role. */
export function exchangeRoles({ staticAccounts, header, instructions }: Compiled): void {
  const first = staticAccounts.length - header.numReadonlyNonSignerAccounts
  const moved = (index: number): number =>
    index === first ? first - 1 : index === first - 1 ? first : index
  const [written, only] = [staticAccounts[first - 1]!, staticAccounts[first]!]
  staticAccounts[first - 1] = only
  staticAccounts[first] = written
  for (const instruction of instructions) {
    instruction.programAddressIndex = moved(instruction.programAddressIndex)
    if (instruction.accountIndices !== undefined) {
      instruction.accountIndices = instruction.accountIndices.map(moved)
    }
  }
}

export function useLookupTable(message: Compiled): void {
  message.addressTableLookups = [
    { lookupTableAddress: THIEF, writableIndexes: [0], readonlyIndexes: [] },
  ]
}
