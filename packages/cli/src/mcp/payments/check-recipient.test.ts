import type { Address } from '@solana/kit'
import { describe, expect, it } from 'vitest'
import type { CliRpc } from '../../amounts/mint-decimals.ts'
import { assertWallet, readRecipient } from './check-recipient.ts'

const WALLET = '13kJatGXV8pwuFMNz5T2oWfokVCAo5rqX4v5J6qHgFdZ' as Address
const SYSTEM = '11111111111111111111111111111111' as Address
const TOKENS = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'

type Shown = { readonly executable: boolean; readonly owner: string } | null
const nodeShowing = (value: Shown) =>
  ({ getAccountInfo: () => ({ send: async () => ({ value }) }) }) as unknown as CliRpc

describe('a recipient', () => {
  it.each([
    '',
    'someone',
    `${WALLET} `,
    ` ${WALLET}`,
    WALLET.slice(0, -4),
    `${WALLET}11`,
    WALLET.replace('3', '0'),
    WALLET.replace('H', 'Η'),
    `0x${'ab'.repeat(32)}`,
  ])('%j is not an address', (text) => {
    const refused = expect.objectContaining({ code: 'RECIPIENT_INVALID' }) as Error
    expect(() => readRecipient(text, undefined)).toThrow(refused)
  })

  it('is refused if it is not on the list', () => {
    expect(readRecipient(WALLET, new Set([WALLET]))).toBe(WALLET)
    const refused = expect.objectContaining({ code: 'RECIPIENT_NOT_ALLOWED' }) as Error
    expect(() => readRecipient(SYSTEM, new Set([WALLET]))).toThrow(refused)
  })

  it.each<[string, Shown]>([
    ['that was never used', null],
    ['of the system program', { executable: false, owner: SYSTEM }],
  ])('%s is a wallet', async (_case, shown) => {
    await expect(assertWallet(nodeShowing(shown), WALLET)).resolves.toBeUndefined()
  })

  it.each<[string, Address, Shown]>([
    ['a program', WALLET, { executable: true, owner: SYSTEM }],
    ['the system program', SYSTEM, { executable: true, owner: TOKENS }],
    ['a token account or a mint', WALLET, { executable: false, owner: TOKENS }],
    ['the incinerator', '1nc1nerator11111111111111111111111111111111' as Address, null],
    [
      "a program's address off the curve",
      'AispKP3Ls5d2m6t411kMtP1xkPemdZPGPJUvemsBqmXA' as Address,
      null,
    ],
  ])('is refused if it is %s', async (_case, recipient, shown) => {
    await expect(assertWallet(nodeShowing(shown), recipient)).rejects.toMatchObject({
      code: 'RECIPIENT_NOT_A_WALLET',
    })
  })
})
