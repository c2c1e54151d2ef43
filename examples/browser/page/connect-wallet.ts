import { walletStandardSigner, type OrderSigner } from '@sotto/sdk/wallet'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'

interface ConnectFeature {
  readonly connect: () => Promise<{ readonly accounts: readonly { readonly address: string }[] }>
}

const CONNECT = 'standard:connect'

/** Calls `found` for every wallet in the browser that supports this chain, including wallets that appear later. */
export function watchWallets(chain: string, found: (wallet: Wallet) => void): void {
  const { get, on } = getWallets()
  const isOfUse = (wallet: Wallet) =>
    wallet.chains.includes(chain as Wallet['chains'][number]) && CONNECT in wallet.features
  for (const wallet of get().filter(isOfUse)) found(wallet)
  on('register', (...wallets) => wallets.filter(isOfUse).forEach(found))
}

/** Asks the wallet for its first account, and returns a signer for it. */
export async function connect(wallet: Wallet, chain: string): Promise<OrderSigner> {
  const feature = wallet.features[CONNECT] as ConnectFeature
  const [account] = (await feature.connect()).accounts
  if (account === undefined) throw new Error('the wallet shows no account')
  return walletStandardSigner(wallet, account, chain)
}
