import { associatedTokenAddress, type Address } from '@sotto/protocol'
import type { PayeeState } from '../../../ports/settlement-chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import type { RecipientReads } from '../recipients/recipients.ts'
import { tokenAccountState, walletState } from './payee-rules.ts'
import type { FindTokenProgram } from './token-programs.ts'
import { fromEach } from './witnesses.ts'

interface ReadAt {
  readonly rpc: ChainRpc
  readonly program: Address
  readonly tokenProgramOf: FindTokenProgram
  readonly recipients: RecipientReads
}

/** Reads at `confirmed` whether a recipient can be paid in an asset. Hides the recipient among decoys. */
export async function readRecipient(
  { program, recipients }: ReadAt,
  mint: Address,
  wallet: Address,
): Promise<PayeeState> {
  const { own, token, tokenProgram } = await recipients.read(mint, wallet)
  return tokenProgram === undefined
    ? walletState(own, { wallet, program })
    : tokenAccountState(token, { mint, wallet, tokenProgram })
}

/** The states of a sender, best first. */
const BEST_FIRST = ['payable', 'absent', 'blocked'] as const satisfies readonly PayeeState[]

/**
 * Reads at `confirmed` whether a sender can be refunded in an asset. The sender needs no decoys, because its deposit
 * has already made it public. With several nodes, the best state that a node shows counts. Otherwise one node could
 * show the sender as unpayable until the refund window ends, and the money would stay in the pool.
 */
export async function readSender(
  { rpc, witnesses, program, tokenProgramOf }: ReadAt & { readonly witnesses: readonly ChainRpc[] },
  mint: Address,
  wallet: Address,
): Promise<PayeeState> {
  const tokenProgram = await tokenProgramOf(mint)
  const isNative = tokenProgram === undefined
  const paid = isNative ? wallet : await associatedTokenAddress(wallet, mint, tokenProgram)
  const ask = async (one: ChainRpc): Promise<PayeeState> => {
    const { accounts } = await readAccounts(one, [paid], { commitment: 'confirmed' })
    return isNative
      ? walletState(accounts[0], { wallet, program })
      : tokenAccountState(accounts[0], { mint, wallet, tokenProgram })
  }
  const first = await ask(rpc)
  if (first === 'payable' || witnesses.length < 2) return first
  const shown = [first, ...(await fromEach(witnesses, ask))]
  return BEST_FIRST.find((state) => shown.includes(state)) ?? first
}
