/** An API key with its account, for authentication; one statement reads both. */
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
  /** Greatest `feeBps` allowed in this account's quotes. */
  readonly feeBpsMax: number
  /**
   * Maximum number of swaps that may await their deposits at once. Each of them reserves inventory, which costs the
   * account nothing.
   */
  readonly openSwapsMax: number
  /** Maximum number of orders that may await their deposits at once. */
  readonly openOrdersMax: number
  /** The network of a send page visitor. All visitors share one account, so some limits count by network. */
  readonly visitor?: string
}

export interface AccountStore {
  readonly findApiKey: (keyId: string) => Promise<ApiKeyRecord | undefined>
  readonly hasFeeRecipient: (accountId: string, address: string) => Promise<boolean>
}
