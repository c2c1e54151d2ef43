import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { NATIVE_MINT, TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { fromEach } from './witnesses.ts'

/** Finds the token program that owns a mint; undefined for native SOL. */
export type FindTokenProgram = (mint: Address) => Promise<Address | undefined>

/**
 * Reads each mint only once, because the token program that owns a listed mint never changes. The addresses of all
 * token accounts depend on this program. So if one node's false answer were kept, the asset could be neither paid nor
 * refunded until a restart. With several nodes, an answer is therefore kept only if at least two nodes answer, and most
 * of them agree.
 *
 * @param witnesses one client for each node; empty if only one node is configured.
 */
export function tokenPrograms(
  rpc: ChainRpc,
  witnesses: readonly ChainRpc[] = [],
): FindTokenProgram {
  const programs = new Map<Address, Address>()
  return async (mint) => {
    if (mint === NATIVE_MINT) return undefined
    const known = programs.get(mint)
    if (known !== undefined) return known
    const hasWitnesses = witnesses.length > 1
    const shown = hasWitnesses ? await fromEach(witnesses, (one) => ownerOf(one, mint)) : []
    const owner = shown.length < 2 ? await ownerOf(rpc, mint) : majorityOf(shown)
    if (!hasWitnesses || shown.length > 1) programs.set(mint, owner)
    return owner
  }
}

async function ownerOf(rpc: ChainRpc, mint: Address): Promise<Address> {
  const slice = { offset: 0, length: 0 }
  const { accounts } = await readAccounts(rpc, [mint], { commitment: 'confirmed', slice })
  const owner = accounts[0]?.owner
  if (owner === TOKEN_PROGRAM_ADDRESS || owner === TOKEN_2022_PROGRAM) return owner
  throw new Error('no token program of this cluster owns the mint')
}

/** The program that most nodes show. @throws Error if as many nodes show one program as the other. */
function majorityOf(shown: readonly Address[]): Address {
  const votes = shown.filter((owner) => owner === TOKEN_2022_PROGRAM).length
  const others = shown.length - votes
  if (votes === others) throw new Error('the nodes show different token programs of a mint')
  return votes > others ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM_ADDRESS
}
