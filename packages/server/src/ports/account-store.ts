/** An API key and its account, for authentication. One SQL statement reads the two together. */
export interface ApiKeyRecord {
  readonly keyId: string
  readonly mode: 'live' | 'test'
  readonly secretHmac: Uint8Array
  readonly scopes: readonly string[]
  readonly expiresAtMs: number | undefined
  readonly isRevoked: boolean
  readonly account: Account
}

export interface Account {
  readonly id: string
  readonly isDisabled: boolean
  /** Maximum `feeBps` in this account's quotes. */
  readonly feeBpsMax: number
  /**
   * Maximum number of swaps that may await their deposits at the same time. Without a limit, the account could reserve
   * inventory at no cost.
   */
  readonly openSwapsMax: number
  /** Maximum number of orders that may await their deposits at the same time. */
  readonly openOrdersMax: number
  /**
   * The network of a visitor of the send page. All visitors share one account, so some limits are counted for each
   * network.
   */
  readonly visitor?: string
}

export interface AccountStore {
  readonly findApiKey: (keyId: string) => Promise<ApiKeyRecord | undefined>
  readonly hasFeeRecipient: (accountId: string, address: string) => Promise<boolean>
}
