import { walletStandardSigner, type OrderSigner } from '@sotto/sdk/wallet'
import { getWallets } from '@wallet-standard/app'
import type { Wallet } from '@wallet-standard/base'
import { askedWallet, DECLINED } from './asked-wallet.ts'
import { DeclinedError } from './problems.ts'

const CONNECT = 'standard:connect'
const DISCONNECT = 'standard:disconnect'
const TAKES_TRANSACTIONS = ['solana:signTransaction', 'solana:signAndSendTransaction']

interface ConnectFeature {
  readonly connect: () => Promise<{ readonly accounts: readonly { readonly address: string }[] }>
}
interface DisconnectFeature {
  readonly disconnect: () => Promise<void>
}

/** A wallet that has given this page access to an account. */
export interface ConnectedWallet {
  readonly name: string
  readonly icon: string
  readonly address: string
  readonly signer: OrderSigner
  readonly disconnect: () => Promise<void>
}

/**
 * Calls `found` with all wallets that this page can use on this chain: now, and whenever a wallet appears or
 * disappears. Returns a function that stops these calls.
 */
export function watchWallets(
  chain: string,
  found: (wallets: readonly Wallet[]) => void,
): () => void {
  const { get, on } = getWallets()
  const tell = () => found(get().filter((wallet) => isOfUse(wallet, chain)))
  const ends = [on('register', tell), on('unregister', tell)]
  tell()
  return () => ends.forEach((end) => end())
}

function isOfUse({ chains, features }: Wallet, chain: string): boolean {
  const isOnChain = chains.includes(chain as Wallet['chains'][number])
  return isOnChain && CONNECT in features && TAKES_TRANSACTIONS.some((name) => name in features)
}

/** Asks the wallet for its first account. @throws DeclinedError, or another error of the wallet. */
export async function connectWallet(wallet: Wallet, chain: string): Promise<ConnectedWallet> {
  const feature = wallet.features[CONNECT] as ConnectFeature
  const [account] = (await connected(feature)).accounts
  if (account === undefined) throw new Error('The wallet shows no account.')
  const end = wallet.features[DISCONNECT] as DisconnectFeature | undefined
  return {
    ...{ name: wallet.name, icon: wallet.icon, address: account.address },
    signer: askedWallet(walletStandardSigner(wallet, account, chain)),
    disconnect: async () => end?.disconnect(),
  }
}

async function connected(feature: ConnectFeature): ReturnType<ConnectFeature['connect']> {
  try {
    return await feature.connect()
  } catch (error) {
    const { code } = (error ?? {}) as { code?: unknown }
    throw code === DECLINED ? new DeclinedError('The wallet was not connected.') : error
  }
}
