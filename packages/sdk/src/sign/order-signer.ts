import type {
  Address,
  TransactionModifyingSigner,
  TransactionPartialSigner,
  TransactionSendingSigner,
} from '@solana/kit'

/**
 * A wallet that receives and returns whole transactions as bytes. Implement this interface to adapt any other wallet
 * library.
 */
export interface WireSigner {
  readonly address: Address
  /** Signs a transaction in wire format. The SDK verifies the returned transaction again. */
  readonly signWire: (wire: Uint8Array) => Promise<Uint8Array>
}

/**
 * A wallet that signs and sends in one step, and returns the signature. Use it only if you trust the wallet: the SDK
 * can't verify the transaction that such a wallet sends.
 */
export interface WireSender {
  readonly address: Address
  readonly sendWire: (wire: Uint8Array) => Promise<Uint8Array>
}

/** Any signer of @solana/kit, or a wallet that `walletStandardSigner` has wrapped. */
export type OrderSigner =
  | TransactionPartialSigner
  | TransactionModifyingSigner
  | TransactionSendingSigner
  | WireSigner
  | WireSender

/** The members of a Wallet Standard account that the SDK uses. */
export interface StandardAccount {
  readonly address: string
}

interface TransactionInput {
  readonly account: StandardAccount
  readonly transaction: Uint8Array
  readonly chain?: string
}

/** The members of a Wallet Standard wallet that the SDK uses: the features that accept transactions. */
export interface StandardWallet {
  readonly features: Readonly<Record<string, unknown>>
}

type Feature<Output> = (...inputs: readonly TransactionInput[]) => Promise<readonly Output[]>

function featureOf<Output>(wallet: StandardWallet, name: string): Feature<Output> | undefined {
  const feature = wallet.features[`solana:${name}`] as Record<string, unknown> | undefined
  const call = feature?.[name]
  return typeof call === 'function' ? (...inputs) => call.call(feature, ...inputs) : undefined
}

/**
 * Makes a signer for a connected account of a Wallet Standard wallet. `chain` is, for example, `solana:mainnet`. If
 * the wallet has a feature that only signs, the signer uses that feature, because the SDK can then verify the signed
 * transaction before it is sent. Many mobile wallets have only a feature that signs and sends.
 *
 * @throws TypeError if the wallet doesn't support Solana transactions.
 */
export function walletStandardSigner(
  wallet: StandardWallet,
  account: StandardAccount,
  chain?: string,
): WireSigner | WireSender {
  const address = account.address as Address
  const inputOf = (transaction: Uint8Array) => ({
    ...{ account, transaction },
    ...(chain === undefined ? {} : { chain }),
  })
  const sign = featureOf<{ signedTransaction: Uint8Array }>(wallet, 'signTransaction')
  if (sign !== undefined) {
    const signWire = async (wire: Uint8Array) => {
      const [output] = await sign(inputOf(wire))
      if (output === undefined) throw new Error('the wallet returned no transaction')
      return new Uint8Array(output.signedTransaction)
    }
    return { address, signWire }
  }
  const send = featureOf<{ signature: Uint8Array }>(wallet, 'signAndSendTransaction')
  if (send === undefined) throw new TypeError("the wallet doesn't support Solana transactions")
  const sendWire = async (wire: Uint8Array) => {
    const [output] = await send(inputOf(wire))
    if (output === undefined) throw new Error('the wallet returned no signature')
    return new Uint8Array(output.signature)
  }
  return { address, sendWire }
}
