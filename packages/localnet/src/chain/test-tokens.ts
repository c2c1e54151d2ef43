import { createHash } from 'node:crypto'
import type { Address } from '@solana/kit'
import { getAddressDecoder, none, some } from '@solana/kit'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintEncoder,
  getMintToInstruction,
} from '@solana-program/token'
import type { Chain } from './chain.ts'
import type { Faucet } from './faucet.ts'
import { TOKEN_PROGRAM, readMint } from './token-accounts.ts'

export type CreatedMint = { kind: 'created' | 'existing'; mint: Address } | { kind: 'taken' }

/**
 * Writes a mint into the chain without a transaction. So a test token can have the address of a real mint. A
 * transaction would need that mint's key.
 */
export function createMint(
  chain: Chain,
  authority: Address,
  wanted: { mint?: Address | undefined; decimals: number; symbol?: string | undefined },
): CreatedMint {
  const mint = wanted.mint ?? deriveMint(chain.genesisHash, wanted.symbol ?? `#${wanted.decimals}`)
  const account = chain.runtime.readAccount(mint)
  if (account !== null) {
    const existing = readMint(account)
    const isSame = existing?.decimals === wanted.decimals && existing.mintAuthority === authority
    return isSame ? { kind: 'existing', mint } : { kind: 'taken' }
  }
  const data = getMintEncoder().encode({
    mintAuthority: some(authority),
    supply: 0n,
    decimals: wanted.decimals,
    isInitialized: true,
    freezeAuthority: none(),
  })
  chain.writeAccount(mint, {
    lamports: chain.runtime.rentExemption(BigInt(data.length)),
    owner: TOKEN_PROGRAM,
    executable: false,
    data: new Uint8Array(data),
  })
  return { kind: 'created', mint }
}

/** Mints into the owner's associated token account, and creates the account if it is missing. Throws FaucetFailure. */
export async function mintTokens(
  faucet: Faucet,
  order: { owner: Address; mint: Address; amount: bigint },
): Promise<{ signature: string; account: Address }> {
  const { owner, mint, amount } = order
  const tokenProgram = TOKEN_PROGRAM
  const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram })
  const payer = faucet.signer
  const signature = await faucet.send([
    getCreateAssociatedTokenIdempotentInstruction({ payer, ata, owner, mint }),
    getMintToInstruction({ mint, token: ata, mintAuthority: payer, amount }),
  ])
  return { signature, account: ata }
}

function deriveMint(genesisHash: Uint8Array, label: string): Address {
  const digest = createHash('sha256').update('mint').update(genesisHash).update(label).digest()
  return getAddressDecoder().decode(digest)
}
