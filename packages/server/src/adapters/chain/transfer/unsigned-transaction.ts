import { isSignerRole, isWritableRole, type Address, type Instruction } from '@solana/kit'
import { addressBytes } from '@sotto/protocol'

interface Use {
  readonly address: Address
  isSigner: boolean
  isWritable: boolean
}

const VERSION_0 = 0x80
const SIGNATURE_BYTES = 64
const CASE_BIT = 0x20
const NO_DATA = new Uint8Array(0)

/**
 * Sort weight of a base58 character. Digits sort before letters, and the two cases of a letter have the same weight.
 */
const folded = (code: number): number => (code >= 0x41 ? code | CASE_BIT : code)

/**
 * Compares addresses exactly as the client library compares accounts of one role, so that both produce the same bytes.
 * Addresses are compared without case first. If no character differs, the shorter address comes first. At equal length,
 * the first character that differs in case decides, and lower case comes first. The library uses a language's collation
 * rules instead. Applying these rules takes most of the library's time for a transaction.
 */
function compare(left: Address, right: Address): number {
  const length = Math.min(left.length, right.length)
  let byCase = 0
  for (let at = 0; at < length; at += 1) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (one === other) continue
    const order = folded(one) - folded(other)
    if (order !== 0) return order
    if (byCase === 0) byCase = other - one
  }
  return left.length - right.length || byCase
}

const FEE_PAYER = 0

/**
 * Sorts the accounts: the fee payer first, then signers before other accounts, and writable before readonly accounts.
 */
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
    address === feePayer ? FEE_PAYER : (isSigner ? 1 : 3) + (isWritable ? 0 : 1)
  return [...uses.values()].sort(
    (left, right) => rank(left) - rank(right) || compare(left.address, right.address),
  )
}

/** Encodes a number in Solana's compact-u16 form: seven bits per byte, the least significant bits first. */
function compact(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...compact(value >>> 7)]
}

/** Writes the part of an instruction before its data: the program, the accounts, and the length of the data. */
function writeHead(
  { programAddress, accounts = [], data = NO_DATA }: Instruction,
  indexOf: (address: Address) => number,
): Uint8Array {
  const bytes = [indexOf(programAddress), ...compact(accounts.length)]
  for (const { address } of accounts) bytes.push(indexOf(address))
  return Uint8Array.from([...bytes, ...compact(data.length)])
}

/**
 * Encodes a transaction without signatures in base64: version 0, no lookup tables, and one zeroed slot for each
 * signature. The client library produces the same bytes, but needs a millisecond. A millisecond would be most of the
 * time that the service needs to answer a request for an order.
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
  const parts: Uint8Array[] = [
    Uint8Array.from(compact(signers.length)),
    new Uint8Array(SIGNATURE_BYTES * signers.length),
    Uint8Array.of(VERSION_0, signers.length, readonly(signers), readonly(others)),
    Uint8Array.from(compact(accounts.length)),
  ]
  for (const { address } of accounts) parts.push(addressBytes(address))
  // A blockhash is base58 text of 32 bytes, like an address.
  parts.push(addressBytes(blockhash as Address), Uint8Array.from(compact(instructions.length)))
  for (const one of instructions) {
    parts.push(writeHead(one, indexOf), (one.data ?? NO_DATA) as Uint8Array)
  }
  parts.push(Uint8Array.of(0))
  return Buffer.concat(parts).toString('base64')
}
