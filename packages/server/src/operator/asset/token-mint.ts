import { getMintDecoder, getTokenSize } from '@solana-program/token'
import { NATIVE_MINT, shownMint, TOKEN_2022_PROGRAM, type Address } from '@sotto/protocol'
import { fromEach } from '../../adapters/chain/settlement/witnesses.ts'
import { readAccounts } from '../../adapters/rpc/read-accounts.ts'
import type { ChainRpc } from '../../adapters/rpc/rpc-client.ts'
import type { AssetKind } from '../../ports/market-store.ts'
import { OperatorError } from '../../start/operator-error.ts'
import type { OperatorContext } from '../context.ts'

const NATIVE_DECIMALS = 9
const HARMLESS = new Set([18, 19])
/** Readable names of Token-2022's mint extensions. */
const EXTENSION_NAMES: Record<number, string> = {
  1: 'transfer fee',
  3: 'close authority',
  4: 'confidential transfer',
  6: 'default account state',
  9: 'non-transferable',
  10: 'interest-bearing',
  12: 'permanent delegate',
  14: 'transfer hook',
  16: 'confidential transfer fee',
  20: 'group pointer',
  21: 'group',
  22: 'group member pointer',
  23: 'group member',
  24: 'confidential mint and burn',
  25: 'scaled amounts',
  26: 'pausable',
}

/** The properties of a mint that the service needs. */
export interface TokenMint {
  readonly kind: AssetKind
  readonly decimals: number
  /** The token program that owns the mint; undefined for native SOL. */
  readonly tokenProgram: Address | undefined
  /** True if the mint's issuer can freeze accounts, including the pool's vault. */
  readonly isFreezable: boolean
}

/**
 * Reads a mint from every node. The number of decimals is stored in the asset's listing, so a single node must not
 * decide this number.
 *
 * @throws OperatorError if nodes show different decimals, or if the pool doesn't support the mint.
 */
export async function readAgreedMint(
  { rpc, witnesses = [] }: Pick<OperatorContext, 'rpc' | 'witnesses'>,
  mint: Address,
): Promise<TokenMint> {
  const shown = await readTokenMint(rpc, mint)
  const others = await fromEach(witnesses, (one) => readTokenMint(one, mint))
  if (others.some(({ decimals }) => decimals !== shown.decimals)) {
    throw new OperatorError('the nodes show different decimals of the mint: remove the wrong node')
  }
  return shown
}

/**
 * Reads a mint and checks that the pool supports it.
 *
 * @throws OperatorError that says why the pool doesn't support it.
 */
export async function readTokenMint(rpc: ChainRpc, mint: Address): Promise<TokenMint> {
  if (mint === NATIVE_MINT) {
    const decimals = NATIVE_DECIMALS
    return { kind: 'native', decimals, tokenProgram: undefined, isFreezable: false }
  }
  const { accounts } = await readAccounts(rpc, [mint], { commitment: 'confirmed' })
  const [account] = accounts
  const shown = shownMint(account)
  if (account === undefined || shown === undefined) {
    throw new OperatorError(
      `no token program of this cluster owns the mint ${mint}: check the address and SOTTO_RPC_URL`,
    )
  }
  const { tokenProgram, decimals } = shown
  const is2022 = tokenProgram === TOKEN_2022_PROGRAM
  if (is2022) assertHarmless(account.data)
  const { freezeAuthority } = getMintDecoder().decode(account.data)
  return {
    kind: is2022 ? 'token2022' : 'token',
    decimals,
    tokenProgram,
    isFreezable: freezeAuthority.__option === 'Some',
  }
}

/** Refuses a mint with an unsupported extension, and names the extension. The program would also refuse the mint. */
function assertHarmless(data: Uint8Array): void {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  for (let at = getTokenSize() + 1; at + 4 <= data.length;) {
    const [type, size] = [view.getUint16(at, true), view.getUint16(at + 2, true)]
    if (type === 0) return
    if (!HARMLESS.has(type)) {
      const name = EXTENSION_NAMES[type] ?? `number ${type}`
      throw new OperatorError(`the pool doesn't accept mints with the extension "${name}"`)
    }
    at += 4 + size
  }
}
