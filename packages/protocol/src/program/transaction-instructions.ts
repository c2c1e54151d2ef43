import type { Address } from '@solana/kit'
import { decodeBase58 } from '../base58.ts'
import { decodeDeposit, type DepositData } from './instructions/deposit.ts'
import { decodeSettle, type Settlement } from './instructions/settle.ts'

/** One executed instruction. The transaction or another program called it. */
export interface RanInstruction {
  readonly program: Address
  readonly accounts: readonly Address[]
  readonly data: Uint8Array
}

interface IndexedInstruction {
  readonly programIdIndex: number
  readonly accounts: readonly number[]
  /** Base58. */
  readonly data: string
}

/** The parts of a node's `getTransaction` response, with encoding `json`, that list the executed instructions. */
export interface TransactionRecord {
  readonly transaction: {
    readonly message: {
      readonly accountKeys: readonly Address[]
      readonly instructions: readonly IndexedInstruction[]
    }
  }
  readonly meta: {
    readonly err: unknown
    readonly innerInstructions?:
      | readonly { readonly index: number; readonly instructions: readonly IndexedInstruction[] }[]
      | null
    readonly loadedAddresses?: {
      readonly writable: readonly Address[]
      readonly readonly: readonly Address[]
    } | null
  } | null
}

/** Every account of a transaction. Instructions and balances refer to accounts by their index in this list. */
function keysOf({ transaction, meta }: TransactionRecord): Address[] {
  const { writable = [], readonly = [] } = meta?.loadedAddresses ?? {}
  return [...transaction.message.accountKeys, ...writable, ...readonly]
}

/**
 * The instructions that a landed transaction executed, in order; inner instructions follow their caller. If `only` is
 * given, the list contains only that program's instructions. Logs are never read, because nodes can truncate them (I9).
 * For a failed transaction, the list is empty.
 */
export function instructionsOf(record: TransactionRecord, only?: Address): RanInstruction[] {
  const { message } = record.transaction
  if (record.meta === null || record.meta.err !== null) return []
  const keys = keysOf(record)
  const key = (index: number): Address => {
    const found = keys[index]
    if (found === undefined) throw new Error('a transaction names an account it does not list')
    return found
  }
  const decode = (instruction: IndexedInstruction): RanInstruction[] => {
    const program = key(instruction.programIdIndex)
    if (only !== undefined && program !== only) return []
    const data = decodeBase58(instruction.data)
    if (data === undefined) throw new Error('the data of an instruction is not in base58')
    return [{ program, accounts: instruction.accounts.map(key), data }]
  }
  const inner = new Map(
    (record.meta.innerInstructions ?? []).map(({ index, instructions }) => [index, instructions]),
  )
  return message.instructions.flatMap((instruction, index) => [
    ...decode(instruction),
    ...(inner.get(index) ?? []).flatMap(decode),
  ])
}

/** The deposits of `program` that a transaction made, in the order of their leaves. */
export function depositsOf(program: Address, record: TransactionRecord): DepositData[] {
  return instructionsOf(record, program).flatMap(
    ({ data, accounts }) => decodeDeposit(data, accounts) ?? [],
  )
}

/** A leaf that a transaction appended: the note of a deposit, or the change note of a settlement. */
export type AppendedLeaf =
  | { readonly kind: 'deposit'; readonly data: DepositData }
  | { readonly kind: 'change'; readonly leaf: bigint }

/**
 * The leaves that a transaction appended to the tree of `program`, in order. For a refund in a full tree, the list
 * contains a leaf that was not appended. Therefore the caller must ignore entries beyond `TREE_LEAVES`.
 */
export function appendedOf(program: Address, record: TransactionRecord): AppendedLeaf[] {
  return instructionsOf(record, program).flatMap(({ data, accounts }): AppendedLeaf[] => {
    const deposit = decodeDeposit(data, accounts)
    if (deposit !== undefined) return [{ kind: 'deposit', data: deposit }]
    const settlement = decodeSettle(data)
    return settlement === undefined ? [] : [{ kind: 'change', leaf: settlement.changeLeaf }]
  })
}

/** An executed settlement, with the accounts that lost or received money. */
export interface RanSettlement extends Settlement {
  readonly asset: Address
  readonly vault: Address
  /** The payee for native SOL, the payee's token account otherwise. */
  readonly payeeAccount: Address
  /** The program that owns the note's mint; undefined for native SOL. */
  readonly tokenProgram: Address | undefined
}

/** Positions of the accounts in a settle instruction, as `settleInstruction` writes them. */
const [ASSET, VAULT, PAYEE_ACCOUNT, TOKEN_PROGRAM] = [3, 4, 6, 9] as const

/** The settlements of `program` that a transaction made. */
export function settlementsOf(program: Address, record: TransactionRecord): RanSettlement[] {
  return instructionsOf(record, program).flatMap(({ data, accounts }) => {
    const settlement = decodeSettle(data)
    const [asset, vault, payeeAccount] = [ASSET, VAULT, PAYEE_ACCOUNT].map((at) => accounts[at])
    const isWhole = asset !== undefined && vault !== undefined && payeeAccount !== undefined
    if (settlement === undefined || !isWhole) return []
    return [{ ...settlement, asset, vault, payeeAccount, tokenProgram: accounts[TOKEN_PROGRAM] }]
  })
}

/**
 * True if a transaction may change an account's balance in another way than by a payout of a settlement of `program`:
 * the account pays the fee, or another part of the transaction names the account.
 */
export function isUsedBesidePayouts(
  account: Address,
  program: Address,
  record: TransactionRecord,
): boolean {
  if (keysOf(record)[0] === account) return true
  return instructionsOf(record).some((ran) => {
    const isSettlement = ran.program === program && decodeSettle(ran.data) !== undefined
    return ran.accounts.some((one, at) => {
      const isOfPayout = isSettlement && (at === VAULT || at === PAYEE_ACCOUNT)
      return one === account && !isOfPayout
    })
  })
}

interface TokenBalance {
  readonly accountIndex: number
  readonly uiTokenAmount: { readonly amount: string }
}

interface Balances {
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances?: readonly TokenBalance[] | null
  readonly postTokenBalances?: readonly TokenBalance[] | null
}

/**
 * The base units by which a transaction changed an account's balance; negative if the balance fell. The unit is the
 * token's base unit for a token account, and the lamport for any other account. Undefined if the record doesn't contain
 * the account's balance.
 */
export function balanceChange(account: Address, record: TransactionRecord): bigint | undefined {
  const meta = record.meta as (TransactionRecord['meta'] & Balances) | null
  const index = keysOf(record).indexOf(account)
  if (meta === null || index < 0) return undefined
  const before = tokensOf(meta.preTokenBalances, index)
  const after = tokensOf(meta.postTokenBalances, index)
  // An account that the transaction opened has no earlier balance.
  if (before !== undefined || after !== undefined) return (after ?? 0n) - (before ?? 0n)
  const [pre, post] = [meta.preBalances[index], meta.postBalances[index]]
  return pre === undefined || post === undefined ? undefined : post - pre
}

function tokensOf(
  balances: readonly TokenBalance[] | null | undefined,
  index: number,
): bigint | undefined {
  const found = balances?.find(({ accountIndex }) => accountIndex === index)
  return found === undefined ? undefined : BigInt(found.uiTokenAmount.amount)
}
