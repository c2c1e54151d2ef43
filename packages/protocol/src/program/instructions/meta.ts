import { AccountRole, type AccountMeta, type Address } from '@solana/kit'

export const readonly = (address: Address): AccountMeta => ({ address, role: AccountRole.READONLY })
export const writable = (address: Address): AccountMeta => ({ address, role: AccountRole.WRITABLE })
export const signer = (address: Address): AccountMeta => ({
  address,
  role: AccountRole.READONLY_SIGNER,
})
export const writableSigner = (address: Address): AccountMeta => ({
  address,
  role: AccountRole.WRITABLE_SIGNER,
})

/** First byte of an instruction's data. */
export const TAG = {
  initialize: 0,
  setConfig: 1,
  rotateAuthoriser: 2,
  addAsset: 3,
  setAsset: 4,
  addInventory: 5,
  removeInventory: 6,
  collectFees: 7,
  deposit: 8,
  settle: 9,
  closeOrder: 10,
  closeNullifier: 11,
} as const
