import {
  generateKeyPairSigner,
  getAddressEncoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  getTransactionDecoder,
  lamports,
  getBase58Encoder,
  type Address,
} from '@solana/kit'
import type { Page } from 'playwright-core'
import type { Chain } from '../../../demo/src/chain.ts'

const NAME = 'Sending wallet'
const FUNDS = lamports(10_000_000_000n)

/**
 * Adds a wallet to a page before the page loads. Like wallets on phones, it signs and sends in one step and returns
 * only the signature. Its key stays in this process, like the key of a hardware wallet. If `isSilent` is true, the
 * wallet never answers a request to sign.
 */
export async function addSendingWallet(
  page: Page,
  chain: Chain,
  isSilent = false,
): Promise<Address> {
  const signer = await generateKeyPairSigner()
  await chain.rpc.requestAirdrop(signer.address, FUNDS, { commitment: 'confirmed' }).send()
  await page.exposeFunction('signAndSend', async (wire: number[]): Promise<number[]> => {
    if (isSilent) return new Promise(() => undefined)
    const transaction = getTransactionDecoder().decode(new Uint8Array(wire))
    const [signatures] = await signer.signTransactions([transaction as never])
    const signed = { ...transaction, signatures: { ...transaction.signatures, ...signatures } }
    const text = getBase64EncodedWireTransaction(signed)
    await chain.rpc.sendTransaction(text, { encoding: 'base64' }).send()
    return [...getBase58Encoder().encode(getSignatureFromTransaction(signed))]
  })
  const publicKey = [...getAddressEncoder().encode(signer.address)]
  await page.addInitScript(register, { name: NAME, address: signer.address, publicKey })
  return signer.address
}

interface Account {
  readonly name: string
  readonly address: string
  readonly publicKey: number[]
}

/** This function runs in the page, so it can't use anything else from this file. */
function register({ name, address, publicKey }: Account): void {
  const page = globalThis as unknown as {
    signAndSend: (wire: number[]) => Promise<number[]>
    addEventListener: (name: string, heard: (event: { detail: Api }) => void) => void
  }
  type Api = { register: (wallet: object) => void }
  const chains = ['solana:localnet']
  const account = {
    ...{ address, chains, publicKey: new Uint8Array(publicKey) },
    features: ['solana:signAndSendTransaction'],
  }
  const wallet = {
    ...{ version: '1.0.0', name, chains, accounts: [account] },
    icon: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciLz4=',
    features: {
      'standard:connect': { version: '1.0.0', connect: async () => ({ accounts: [account] }) },
      'solana:signAndSendTransaction': {
        version: '1.0.0',
        supportedTransactionVersions: [0],
        signAndSendTransaction: async ({ transaction }: { transaction: Uint8Array }) => {
          const signature = await page.signAndSend([...transaction])
          return [{ signature: new Uint8Array(signature) }]
        },
      },
    },
  }
  page.addEventListener('wallet-standard:app-ready', ({ detail }) => detail.register(wallet))
}
