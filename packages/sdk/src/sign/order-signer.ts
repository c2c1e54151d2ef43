import type {
  Address,
  TransactionModifyingSigner,
  TransactionPartialSigner,
  TransactionSendingSigner,
} from '@solana/kit'

/** A wallet that takes and gives whole transactions as bytes: how any other library is joined. */
export interface WireSigner {
  readonly address: Address
  /** Signs a transaction in wire format; whatever comes back is verified again. */
  readonly signWire: (wire: Uint8Array) => Promise<Uint8Array>
}

/** Any signer of @solana/kit, or a wallet behind `walletStandardSigner`. */
export type OrderSigner =
  TransactionPartialSigner | TransactionModifyingSigner | TransactionSendingSigner | WireSigner

/** What is used of an account of the Wallet Standard. */
export interface StandardAccount {
  readonly address: string
}

interface SignTransactionInput {
  readonly account: StandardAccount
  readonly transaction: Uint8Array
  readonly chain?: string
}

/** What is used of a wallet of the Wallet Standard: the feature `solana:signTransaction`. */
export interface StandardWallet {
  readonly features: Readonly<Record<string, unknown>>
}

const FEATURE = 'solana:signTransaction'

interface SignTransactionFeature {
  readonly signTransaction: (
    ...inputs: readonly SignTransactionInput[]
  ) => Promise<readonly { readonly signedTransaction: Uint8Array }[]>
}

/**
 * A signer for a connected account of a Wallet Standard wallet; `chain` is such as `solana:mainnet`.
 * @throws TypeError where the wallet can't sign without sending.
 */
export function walletStandardSigner(
  wallet: StandardWallet,
  account: StandardAccount,
  chain?: string,
): WireSigner {
  const feature = wallet.features[FEATURE] as SignTransactionFeature | undefined
  if (typeof feature?.signTransaction !== 'function') {
    throw new TypeError(`the wallet does not have the feature ${FEATURE}`)
  }
  return {
    address: account.address as Address,
    signWire: async (transaction) => {
      const input = { account, transaction, ...(chain === undefined ? {} : { chain }) }
      const [output] = await feature.signTransaction(input)
      if (output === undefined) throw new Error('the wallet returned no transaction')
      return new Uint8Array(output.signedTransaction)
    },
  }
}
