import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { NATIVE_MINT, TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswers } from '../../../running/shared-answer.ts'
import { systemClock } from '../../clock/system-clock.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { fromEach } from './witnesses.ts'

/** Time for which the answer of the only node that answers is used, in milliseconds. */
const ALONE_MS = 10_000
/** Maximum number of mints whose newest answer is kept. */
const MINTS_MAX = 256

/** Finds the token program that owns a mint; undefined for native SOL. */
export type FindTokenProgram = (mint: Address) => Promise<Address | undefined>

/**
 * Reads each mint only once, because the token program that owns a listed mint never changes. The addresses of all
 * token accounts depend on this program. So if one node's false answer were kept, the asset could be neither paid nor
 * refunded until a restart. With several nodes, an answer is therefore kept only if at least two nodes answer, and most
 * of them agree. If only one node answers, its answer is used for seconds: otherwise every quote and every settlement
 * would ask all nodes again, and wait for the nodes that don't answer.
 *
 * @param witnesses one client for each node; empty if only one node is configured.
 */
export function tokenPrograms(
  rpc: ChainRpc,
  witnesses: readonly ChainRpc[] = [],
  clock: Pick<Clock, 'nowMs'> = systemClock,
): FindTokenProgram {
  const programs = new Map<Address, Address>()
  const answers = new SharedAnswers<Address>(clock, MINTS_MAX)
  const hasWitnesses = witnesses.length > 1
  const ask = async (mint: Address): Promise<Address> => {
    const shown = hasWitnesses ? await fromEach(witnesses, (one) => ownerOf(one, mint)) : []
    const owner = shown.length > 1 ? majorityOf(shown) : (shown[0] ?? (await ownerOf(rpc, mint)))
    if (!hasWitnesses || shown.length > 1) programs.set(mint, owner)
    return owner
  }
  return async (mint) => {
    if (mint === NATIVE_MINT) return undefined
    return programs.get(mint) ?? answers.of(mint, () => ask(mint)).read(ALONE_MS)
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
