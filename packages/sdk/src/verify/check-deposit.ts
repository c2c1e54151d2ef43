import {
  associatedTokenAddress,
  depositInstruction,
  type Address,
  type DepositTerms,
} from '@sotto/protocol'
import { AccountRole, type AccountMeta, type Instruction } from '@solana/kit'
import type { ChainFacts } from './chain-facts.ts'
import {
  isSameBytes,
  type DecodedInstruction,
  type DecodedMessage,
} from './decode-order-message.ts'
import type { Findings } from './refusal.ts'

/** Builds the deposit instruction that these terms require, with every account and every byte. */
export async function depositOf(
  program: Address,
  { pool, tokenProgram }: ChainFacts,
  terms: DepositTerms,
): Promise<Instruction> {
  const senderToken =
    tokenProgram === undefined
      ? undefined
      : await associatedTokenAddress(terms.sender, terms.sourceMint, tokenProgram)
  return depositInstruction({ program, tree: pool.tree, senderToken, tokenProgram }, terms)
}

/**
 * Compares the deposit with the expected deposit: every account and every byte, including those that no other check
 * covers.
 */
export function checkDeposit(
  findings: Findings,
  found: DecodedInstruction,
  expected: Instruction,
): void {
  const accounts = expected.accounts ?? []
  const isSame =
    found.accounts.length === accounts.length &&
    found.accounts.every(({ address }, index) => address === accounts[index]?.address)
  findings.demand(
    isSame,
    'accounts',
    'the deposit uses other accounts than expected (vault, partner or another)',
  )
  findings.demand(
    isSameBytes(found.data, expected.data ?? []),
    'instructions',
    "the deposit's data does not match the terms",
  )
}

const isWriting = (role: AccountRole): boolean =>
  role === AccountRole.WRITABLE || role === AccountRole.WRITABLE_SIGNER

/**
 * Checks three rules. The message lists only accounts that its instructions use, and each of them once. Only the sender
 * signs and pays. Only accounts to which the deposit writes are writable.
 */
export function checkAccounts(
  findings: Findings,
  { accounts, instructions }: DecodedMessage,
  expected: Instruction,
  sender: Address,
): void {
  const payer: AccountMeta = { address: sender, role: AccountRole.WRITABLE_SIGNER }
  const [first, ...others] = accounts
  findings.demand(
    first?.address === sender && first.role === AccountRole.WRITABLE_SIGNER,
    'sender',
    'another wallet pays for the transaction',
  )
  const signers = others.filter(({ role }) => role >= AccountRole.READONLY_SIGNER)
  findings.demand(signers.length === 0, 'signers', 'the transaction requires a second signature')
  const written = new Set(
    [payer, ...(expected.accounts ?? [])].flatMap(({ address, role }) =>
      isWriting(role) ? [address] : [],
    ),
  )
  const used = new Set<string>([
    sender,
    ...instructions.flatMap(({ program, accounts: named }) => [
      program,
      ...named.map(({ address }) => address),
    ]),
  ])
  const isExact = accounts.every(
    ({ address, role }) => used.has(address) && isWriting(role) === written.has(address),
  )
  const isOnce = new Set(accounts.map(({ address }) => address)).size === accounts.length
  findings.demand(
    isExact && isOnce,
    'accounts',
    'the transaction lists an account twice, without need or in the wrong role',
  )
}
