import {
  decodePool,
  NATIVE_MINT,
  poolAddress,
  programDataAddress,
  programFactsOf,
  TOKEN_2022_PROGRAM,
  type PoolAccount,
  type ProgramFacts,
} from '@sotto/protocol'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  address,
  getBase64Encoder,
  type Address,
  type GetGenesisHashApi,
  type GetMultipleAccountsApi,
  type Rpc,
} from '@solana/kit'
import { refuse } from './refusal.ts'

/** What an order is held against, read from a node that the service does not choose. */
export interface ChainFacts {
  readonly pool: PoolAccount
  /** The program's hash and who may replace it. */
  readonly program: ProgramFacts
  /** The chain's genesis hash; read only if the program has a development key. */
  readonly genesisHash: string | undefined
  /** The program that keeps the source mint; undefined for native SOL. */
  readonly tokenProgram: Address | undefined
  /** The chain's clock, seconds since 1970. */
  readonly unixSeconds: bigint
}

/** Holds the chain's clock. */
export const CLOCK_SYSVAR = address('SysvarC1ock11111111111111111111111111111111')
const CLOCK_UNIX_OFFSET = 32

/** Seconds since 1970 by the Clock sysvar's bytes. */
export const clockSeconds = (data: Uint8Array): bigint =>
  new DataView(data.buffer, data.byteOffset, data.byteLength).getBigInt64(CLOCK_UNIX_OFFSET, true)

interface ReadAccount {
  readonly owner: Address
  readonly data: Uint8Array
}

/** What verification asks a node. */
export type FactsRpc = Rpc<GetMultipleAccountsApi & GetGenesisHashApi>

/**
 * Reads everything that verification needs, in one request at `confirmed`, and a second one if the
 * program has a development key. The node must be the sender's or the partner's own choice: its answers
 * are believed.
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
      : { owner: account.owner, data: new Uint8Array(getBase64Encoder().encode(account.data[0])) },
  )
  if (clock === undefined) return refuse('chain', "the node did not tell the chain's clock")
  if (programData === undefined) return refuse('chain', 'the program is not on this chain')
  const facts = programFactsOf(programData.data)
  return {
    pool: readPool(pool, program),
    program: facts,
    genesisHash: facts.hasDevelopmentKey ? await rpc.getGenesisHash().send() : undefined,
    tokenProgram: sourceMint === NATIVE_MINT ? undefined : keeperOf(mint),
    unixSeconds: clockSeconds(clock.data),
  }
}

function readPool(account: ReadAccount | undefined, program: Address): PoolAccount {
  if (account?.owner !== program) return refuse('chain', 'the program has no pool on this chain')
  return decodePool(account.data)
}

function keeperOf(mint: ReadAccount | undefined): Address {
  const keepers = [TOKEN_PROGRAM_ADDRESS, TOKEN_2022_PROGRAM]
  const keeper = keepers.find((one) => one === mint?.owner)
  return keeper ?? refuse('chain', 'the source asset is no token on this chain')
}
