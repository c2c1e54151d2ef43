/** An API key with its account, as authentication needs them; one statement reads both. */
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
  /** Greatest `feeBps` that this account's quotes may carry. */
  readonly feeBpsMax: number
  /** Most swaps that may wait for their deposit at once: each reserves inventory for free. */
  readonly openSwapsMax: number
  /** Most orders that may wait for their deposit at once. */
  readonly openOrdersMax: number
  /** The network of a visitor of the send page, all of whom act for one account. */
  readonly visitor?: string
}

export interface AccountStore {
  readonly findApiKey: (keyId: string) => Promise<ApiKeyRecord | undefined>
  readonly hasFeeRecipient: (accountId: string, address: string) => Promise<boolean>
}
