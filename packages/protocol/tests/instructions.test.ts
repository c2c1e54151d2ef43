import { address, generateKeyPairSigner } from '@solana/kit'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  amount,
  decodeDeposit,
  decodeSettle,
  depositInstruction,
  FIELD_MODULUS,
  NATIVE_MINT,
  settleInstruction,
  unixSeconds,
  type DepositTerms,
} from '../index.ts'

const program = address('Sotto11111111111111111111111111111111111111')
const usdc = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
const u64 = fc.bigInt({ min: 0n, max: 18_446_744_073_709_551_615n }).map(amount)
const time = fc.bigInt({ min: 0n, max: 2n ** 40n }).map(unixSeconds)
const bytes = (size: number) => fc.uint8Array({ minLength: size, maxLength: size })
const field = fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n })

it('a decoded deposit has the values that were encoded, for every kind of asset', async () => {
  const { address: sender } = await generateKeyPairSigner()
  const terms = fc.record({
    orderId: bytes(16),
    sourceMint: fc.constantFrom(NATIVE_MINT, usdc),
    destinationMint: fc.constantFrom(NATIVE_MINT, usdc),
    amountIn: u64,
    value: u64,
    partnerFee: u64,
    deadline: time,
    validUntil: time,
    inner: field,
    payload: bytes(65),
  })
  await fc.assert(
    fc.asyncProperty(terms, async (drawn) => {
      const made: DepositTerms = { ...drawn, sender, partnerAccount: usdc }
      const { data, accounts } = await depositInstruction(
        { program, tree: usdc, senderToken: sender },
        made,
      )
      const read = decodeDeposit(data ?? new Uint8Array(), accounts?.map((a) => a.address) ?? [])
      const { sourceMint, destinationMint, ...written } = drawn
      expect(read).toMatchObject({ ...written, sender, isSwap: sourceMint !== destinationMint })
      expect(read?.sourceAsset === read?.destinationAsset).toBe(sourceMint === destinationMint)
    }),
    { numRuns: 60 },
  )
})

it('a decoded settlement has the values that were encoded', async () => {
  const { address: payee } = await generateKeyPairSigner()
  const settlement = fc.record({
    isRefund: fc.boolean(),
    root: fc.record({
      kind: fc.constantFrom('recent' as const, 'checkpoint' as const),
      index: fc.integer({ min: 0, max: 1_023 }),
    }),
    nullifier: field,
    payout: u64,
    fee: u64,
    changeLeaf: field,
    time,
    proof: bytes(256),
  })
  await fc.assert(
    fc.asyncProperty(settlement, fc.constantFrom(NATIVE_MINT, usdc), async (drawn, mint) => {
      const made = { ...drawn, payee }
      const { data } = await settleInstruction({ program, tree: usdc, payer: payee }, mint, made)
      expect(data).toHaveLength(381)
      expect(decodeSettle(data ?? new Uint8Array())).toEqual(made)
    }),
    { numRuns: 60 },
  )
})
