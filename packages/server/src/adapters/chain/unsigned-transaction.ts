import { isSignerRole, isWritableRole, type Address, type Instruction } from '@solana/kit'
import { addressBytes } from '@sotto/protocol'

interface Use {
  readonly address: Address
  isSigner: boolean
  isWritable: boolean
}

const VERSION_0 = 0x80
const SIGNATURE_BYTES = 64
/** The client library's order among accounts of one role, so that both make the same bytes. */
const { compare } = new Intl.Collator('en', { caseFirst: 'lower', sensitivity: 'variant' })

/** Signers before others, writable before readonly, the fee payer before all. */
function orderedAccounts(feePayer: Address, instructions: readonly Instruction[]): Use[] {
  const uses = new Map<Address, Use>()
  const use = (address: Address, isSigner: boolean, isWritable: boolean) => {
    const known = uses.get(address)
    if (known === undefined) uses.set(address, { address, isSigner, isWritable })
    else {
      known.isSigner ||= isSigner
      known.isWritable ||= isWritable
    }
  }
  use(feePayer, true, true)
  for (const { programAddress, accounts = [] } of instructions) {
    use(programAddress, false, false)
    for (const { address, role } of accounts) use(address, isSignerRole(role), isWritableRole(role))
  }
  const rank = ({ address, isSigner, isWritable }: Use): number =>
    address === feePayer ? 0 : isSigner ? (isWritable ? 1 : 2) : isWritable ? 3 : 4
  return [...uses.values()].sort(
    (left, right) => rank(left) - rank(right) || compare(left.address, right.address),
  )
}

/** Solana's compact-u16: seven bits a byte, least first. */
function compact(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...compact(value >>> 7)]
}

function writeInstruction(
  { programAddress, accounts = [], data = new Uint8Array(0) }: Instruction,
  indexOf: (address: Address) => number,
): number[] {
  const indexes = accounts.map(({ address }) => indexOf(address))
  const named = [indexOf(programAddress), ...compact(indexes.length), ...indexes]
  return [...named, ...compact(data.length), ...data]
}

/**
 * A transaction without signatures in base64: version 0, without lookup tables, one zeroed slot for
 * each signature. Byte for byte what the client library compiles, which takes a millisecond for it:
 * most of what an order would cost.
 */
export function unsignedTransaction(
  feePayer: Address,
  instructions: readonly Instruction[],
  blockhash: string,
): string {
  const accounts = orderedAccounts(feePayer, instructions)
  const indexes = new Map(accounts.map(({ address }, index) => [address, index]))
  const indexOf = (address: Address): number => {
    const index = indexes.get(address)
    if (index === undefined) throw new Error('an instruction names an account that was not listed')
    return index
  }
  const signers = accounts.filter(({ isSigner }) => isSigner)
  const others = accounts.filter(({ isSigner }) => !isSigner)
  const readonly = (uses: readonly Use[]) => uses.filter(({ isWritable }) => !isWritable).length
  return Buffer.concat([
    Buffer.from(compact(signers.length)),
    Buffer.alloc(SIGNATURE_BYTES * signers.length),
    Buffer.from([VERSION_0, signers.length, readonly(signers), readonly(others)]),
    Buffer.from(compact(accounts.length)),
    ...accounts.map(({ address }) => addressBytes(address)),
    // A blockhash has the form of an address.
    addressBytes(blockhash as Address),
    Buffer.from(compact(instructions.length)),
    ...instructions.map((one) => Buffer.from(writeInstruction(one, indexOf))),
    Buffer.from(compact(0)),
  ]).toString('base64')
}
