import { decodePool, NATIVE_MINT, poolAddress, type PoolAccount } from '@sotto/protocol'
import { getBase64Encoder, type Address, type Rpc, type SolanaRpcApi } from '@solana/kit'
import { RecoveryError } from './recovery-error.ts'

export type RecoveryRpc = Rpc<SolanaRpcApi>

/** An account's bytes at `confirmed`; undefined where there is none. */
export async function readAccount(
  rpc: RecoveryRpc,
  address: Address,
): Promise<Uint8Array | undefined> {
  const { value } = await rpc
    .getAccountInfo(address, { encoding: 'base64', commitment: 'confirmed' })
    .send()
  return value === null ? undefined : new Uint8Array(getBase64Encoder().encode(value.data[0]))
}

/** The token program that keeps a mint; undefined for native SOL. @throws RecoveryError WRONG_CLUSTER. */
export async function readTokenProgram(
  rpc: RecoveryRpc,
  mint: Address,
): Promise<Address | undefined> {
  if (mint === NATIVE_MINT) return undefined
  const { value } = await rpc
    .getAccountInfo(mint, { encoding: 'base64', commitment: 'confirmed' })
    .send()
  if (value !== null) return value.owner
  throw new RecoveryError(
    'WRONG_CLUSTER',
    'the mint is not on this cluster: check the RPC endpoint',
  )
}

/** @throws RecoveryError WRONG_CLUSTER where this endpoint's cluster has no pool of the program. */
export async function readPool(rpc: RecoveryRpc, program: Address): Promise<PoolAccount> {
  const data = await readAccount(rpc, await poolAddress(program))
  if (data !== undefined) return decodePool(data)
  throw new RecoveryError(
    'WRONG_CLUSTER',
    'the program has no pool on this cluster: check the RPC endpoint',
  )
}
