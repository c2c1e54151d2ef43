import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpc,
  getAddressEncoder,
  getBase58Decoder,
  getBase58Encoder,
  getTransactionDecoder,
  getTransactionEncoder,
  lamports,
  type KeyPairSigner,
} from '@solana/kit'
import type { WalletAccount } from '@wallet-standard/base'
import { registerWallet } from '@wallet-standard/wallet'

const CHAINS = ['solana:localnet'] as const
/** The lamports that the wallet gets. They are enough for many transfers and their rent. */
const FUNDS = lamports(25_000_000_000n)
const KEY = 'sotto:test-wallet'
/** The wallet's icon: the letter T on the yellow of warnings. */
const ICON =
  'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAzMiAzMiI+PHJlY3Qgd2lkdGg9IjMyIiBoZWlnaHQ9IjMyIiByeD0iOSIgZmlsbD0iI2YyYzE0ZSIvPjxwYXRoIGQ9Ik05IDEwaDE0TTE2IDEwdjEzIiBzdHJva2U9IiMyZDI0MDYiIHN0cm9rZS13aWR0aD0iMyIgc3Ryb2tlLWxpbmVjYXA9InJvdW5kIi8+PC9zdmc+'

/** The key that is stored in this browser, or a new key. The key is worth nothing. Never store real keys like this. */
function readKey(): Uint8Array {
  const known = localStorage.getItem(KEY)
  if (known !== null) return new Uint8Array(getBase58Encoder().encode(known))
  const key = crypto.getRandomValues(new Uint8Array(32))
  localStorage.setItem(KEY, getBase58Decoder().decode(key))
  return key
}

/** Opens the wallet's only account. If the account is empty, the local chain's faucet funds it. */
async function openAccount(rpcUrl: string): Promise<KeyPairSigner> {
  const rpc = createSolanaRpc(rpcUrl as `http://${string}`)
  const signer = await createKeyPairSignerFromPrivateKeyBytes(readKey())
  const balance = async () =>
    (await rpc.getBalance(signer.address, { commitment: 'confirmed' }).send()).value
  if ((await balance()) > 0n) return signer
  await rpc.requestAirdrop(signer.address, FUNDS, { commitment: 'confirmed' }).send()
  while ((await balance()) === 0n) await new Promise((resolve) => setTimeout(resolve, 200))
  return signer
}

async function sign(signer: KeyPairSigner, wire: Uint8Array): Promise<Uint8Array> {
  const transaction = getTransactionDecoder().decode(wire)
  const [signatures] = await signer.signTransactions([transaction as never])
  const signed = { ...transaction, signatures: { ...transaction.signatures, ...signatures } }
  return new Uint8Array(getTransactionEncoder().encode(signed))
}

const accountOf = ({ address }: KeyPairSigner): WalletAccount => ({
  address,
  publicKey: getAddressEncoder().encode(address),
  chains: CHAINS,
  features: ['solana:signTransaction'],
})

/** Registers a wallet in the same way as a browser extension, so the page finds it only through the Wallet Standard. */
function registerTestWallet(rpcUrl: string): void {
  let signer: KeyPairSigner | undefined
  const accounts = () => (signer === undefined ? [] : [accountOf(signer)])
  const connect = async () => {
    signer ??= await openAccount(rpcUrl)
    return { accounts: accounts() }
  }
  const signTransaction = async (...inputs: readonly { transaction: Uint8Array }[]) => {
    const own = signer
    if (own === undefined) throw new Error('the wallet is not connected')
    const signed = await Promise.all(inputs.map(({ transaction }) => sign(own, transaction)))
    return signed.map((signedTransaction) => ({ signedTransaction }))
  }
  registerWallet({
    version: '1.0.0',
    name: 'Test wallet',
    icon: ICON,
    chains: CHAINS,
    get accounts() {
      return accounts()
    },
    features: {
      'standard:connect': { version: '1.0.0', connect },
      'standard:disconnect': { version: '1.0.0', disconnect: async () => undefined },
      'solana:signTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: [0],
        signTransaction,
      },
    },
  })
}

// The page loads this file only on a local chain, whose money is worth nothing.
registerTestWallet(`${location.origin}/send/api/node`)
