import {
  CLOCK_SYSVAR,
  NATIVE_MINT,
  poolAddress,
  programDataAddress,
  shownClock,
  shownMint,
  shownPool,
  shownProgramFacts,
  type PoolAccount,
  type ProgramFacts,
  type ShownAccount,
  type UnixSeconds,
} from '@sotto/protocol'
import {
  getBase64Encoder,
  type Address,
  type GetGenesisHashApi,
  type GetMultipleAccountsApi,
  type Rpc,
} from '@solana/kit'
import { refuse } from './refusal.ts'

/** The facts that an order is verified against. They are read from a node that the service did not choose. */
export interface ChainFacts {
  readonly pool: PoolAccount
  readonly program: ProgramFacts
  /** The chain's genesis hash, which is needed only for a development key. Undefined if the program has no such key. */
  readonly genesisHash: string | undefined
  /** The token program that owns the source mint; undefined if the source is native SOL. */
  readonly tokenProgram: Address | undefined
  /** The chain's clock, in seconds since 1970. */
  readonly unixSeconds: UnixSeconds
}

export type FactsRpc = Rpc<GetMultipleAccountsApi & GetGenesisHashApi>

/**
 * Reads everything that verification needs, in one request at `confirmed`. If the program has a development key, a
 * second request reads the genesis hash. The SDK trusts the node's answers, so the sender or the partner must have
 * chosen the node.
 */
export async function readChainFacts(
  rpc: FactsRpc,
  program: Address,
  sourceMint: Address,
): Promise<ChainFacts> {
  const named = [await poolAddress(program), await programDataAddress(program), CLOCK_SYSVAR]
  const addresses = sourceMint === NATIVE_MINT ? named : [...named, sourceMint]
  const options = { encoding: 'base64', commitment: 'confirmed' } as const
  const { value } = await rpc.getMultipleAccounts(addresses, options).send()
  const [pool, programData, clock, mint] = value.map((account) =>
    account === null
      ? undefined
      : { owner: account.owner, data: getBase64Encoder().encode(account.data[0]) },
  )
  if (clock === undefined) return refuse('chain', "the node did not return the chain's clock")
  const facts = shownProgramFacts(programData)
  if (facts === undefined) return refuse('chain', 'the program is not on this chain')
  return {
    pool: readPool(pool, program),
    program: facts,
    genesisHash: facts.hasDevelopmentKey ? await rpc.getGenesisHash().send() : undefined,
    tokenProgram: sourceMint === NATIVE_MINT ? undefined : keeperOf(mint),
    unixSeconds: shownClock(clock),
  }
}

function readPool(account: ShownAccount | undefined, program: Address): PoolAccount {
  const pool = shownPool(program, account)
  return pool ?? refuse('chain', 'the program has no pool on this chain')
}

function keeperOf(mint: ShownAccount | undefined): Address {
  return (
    shownMint(mint)?.tokenProgram ??
    refuse('chain', 'the source asset is not a token on this chain')
  )
}
