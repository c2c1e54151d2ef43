import fc from 'fast-check'
import { getAddressDecoder, type Address, type Instruction } from '@solana/kit'
import { expect, test } from 'vitest'
import {
  addAssetInstruction,
  addInventoryInstruction,
  amount,
  assetAddress,
  associatedTokenAddress,
  closeNullifierInstruction,
  closeOrderInstruction,
  collectFeesInstruction,
  depositInstruction,
  FIELD_MODULUS,
  fieldToBytes,
  initializeInstruction,
  INSTRUCTIONS_SYSVAR,
  NATIVE_MINT,
  nullifierAddress,
  orderAddress,
  PAYLOAD_BYTES,
  poolAddress,
  programDataAddress,
  removeInventoryInstruction,
  rotateAuthoriserInstruction,
  setAssetInstruction,
  setConfigInstruction,
  settleInstruction,
  TOKEN_2022_PROGRAM,
  unixSeconds,
  vaultAddress,
} from '@sotto/protocol'
import {
  encodeIdlInstruction,
  IDL_INSTRUCTIONS,
  idlAccounts,
  idlInstruction,
  type IdlFields,
} from './fixtures/idl.ts'

/** A test case in two forms: for the client, and with the IDL's names. */
interface Case {
  readonly built: Instruction
  readonly accounts: Readonly<Record<string, Address>>
  readonly fields: IdlFields
}

const bytes = (size: number) =>
  fc.uint8Array({ minLength: size, maxLength: size }).map((drawn) => new Uint8Array(drawn))
const key = bytes(32).map((drawn) => getAddressDecoder().decode(drawn))
const u64 = fc.bigInt(0n, 2n ** 64n - 1n).map(amount)
const seconds = fc.bigInt(0n, 2n ** 40n).map(unixSeconds)
const u32 = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const element = fc.bigInt(0n, FIELD_MODULUS - 1n)
const SYSTEM = '11111111111111111111111111111111' as Address
const KEYS = fc.record({
  ...{ program: key, tree: key, payer: key, admin: key, mint: key, other: key, partner: key },
})
type Keys = typeof KEYS extends fc.Arbitrary<infer Drawn> ? Drawn : never
const LIMITS = fc.record({ depositMax: u64, swapCap: u64, swapPeriodSeconds: u32 })
const flag = (value: boolean) => (value ? 1n : 0n)
const limitFields = (limits: {
  depositMax: bigint
  swapCap: bigint
  swapPeriodSeconds: number
}) => ({
  depositMax: limits.depositMax,
  swapCap: limits.swapCap,
  swapPeriodSeconds: BigInt(limits.swapPeriodSeconds),
})

/** Compares the client's instruction with the IDL's, for random keys and values. */
async function compare<Drawn>(
  name: string,
  drawn: fc.Arbitrary<Drawn>,
  make: (keys: Keys, values: Drawn) => Promise<Case>,
): Promise<void> {
  const node = idlInstruction(name)
  const property = fc.asyncProperty(KEYS, drawn, async (keys, values) => {
    const { built, accounts, fields } = await make(keys, values)
    expect(built.programAddress).toBe(keys.program)
    const metas = built.accounts?.map(({ address, role }) => ({ address, role }))
    expect(metas).toEqual(idlAccounts(node, accounts))
    expect(new Uint8Array(built.data ?? [])).toEqual(encodeIdlInstruction(node, fields))
  })
  await fc.assert(property, { numRuns: 25 })
}

const ofMint = async ({ program, mint }: Keys) => ({
  pool: await poolAddress(program),
  asset: await assetAddress(program, mint),
  vault: await vaultAddress(program, mint),
})

const TESTS: Readonly<Record<string, () => Promise<void>>> = {
  initialize: () =>
    compare(
      'initialize',
      fc.record({ authorisers: fc.tuple(key, key), domain: bytes(32), limit: u32 }),
      async ({ program, tree, payer, admin, other }, { authorisers, domain, limit }) => ({
        built: await initializeInstruction(
          { program, tree, payer, upgradeAuthority: other },
          { admin, authorisers, domain, maxDepositSeconds: limit },
        ),
        accounts: {
          ...{ payer, tree, program, upgradeAuthority: other, systemProgram: SYSTEM },
          pool: await poolAddress(program),
          programData: await programDataAddress(program),
        },
        fields: {
          ...{ admin, authoriser0: authorisers[0], authoriser1: authorisers[1], domain },
          maxDepositSeconds: BigInt(limit),
        },
      }),
    ),
  setConfig: () =>
    compare(
      'setConfig',
      fc.record({ depositsPaused: fc.boolean(), limit: u32 }),
      async ({ program, admin, other }, { depositsPaused, limit }) => ({
        built: await setConfigInstruction(
          { program, admin, newAdmin: other },
          { depositsPaused, maxDepositSeconds: limit },
        ),
        accounts: { admin, pool: await poolAddress(program), newAdmin: other },
        fields: { depositsPaused: flag(depositsPaused), maxDepositSeconds: BigInt(limit) },
      }),
    ),
  rotateAuthoriser: () =>
    compare(
      'rotateAuthoriser',
      fc.constantFrom(0 as const, 1 as const),
      async ({ program, admin, other }, slot) => ({
        built: await rotateAuthoriserInstruction({ program, admin }, { slot, key: other }),
        accounts: { admin, pool: await poolAddress(program) },
        fields: { slot: BigInt(slot), key: other },
      }),
    ),
  addAsset: () =>
    compare('addAsset', LIMITS, async (keys, limits) => ({
      built: await addAssetInstruction({ ...keys, tokenProgram: TOKEN_2022_PROGRAM }, limits),
      accounts: {
        ...{ payer: keys.payer, admin: keys.admin, mint: keys.mint, ...(await ofMint(keys)) },
        ...{ currencyProgram: TOKEN_2022_PROGRAM, systemProgram: SYSTEM },
      },
      fields: limitFields(limits),
    })),
  setAsset: () =>
    compare('setAsset', fc.tuple(LIMITS, fc.boolean()), async (keys, [limits, depositsPaused]) => {
      const { pool, asset } = await ofMint(keys)
      return {
        built: await setAssetInstruction(keys, { ...limits, depositsPaused }),
        accounts: { admin: keys.admin, pool, asset },
        fields: { ...limitFields(limits), depositsPaused: flag(depositsPaused) },
      }
    }),
  addInventory: () =>
    compare('addInventory', u64, async (keys, quantity) => ({
      built: await addInventoryInstruction(
        { ...keys, source: keys.other, tokenProgram: TOKEN_2022_PROGRAM },
        quantity,
      ),
      accounts: {
        ...{ admin: keys.admin, ...(await ofMint(keys)), source: keys.other, mint: keys.mint },
        currencyProgram: TOKEN_2022_PROGRAM,
      },
      fields: { amount: quantity },
    })),
  removeInventory: () => compareWithdrawal('removeInventory', removeInventoryInstruction),
  collectFees: () => compareWithdrawal('collectFees', collectFeesInstruction),
  deposit: async () => {
    for (const isSwap of [false, true]) {
      for (const isNative of [false, true]) {
        for (const hasPartner of [false, true]) await compareDeposit(isSwap, isNative, hasPartner)
      }
    }
  },
  settle: async () => {
    for (const isNative of [false, true]) await compareSettle(isNative)
  },
  closeOrder: () =>
    compare('closeOrder', fc.constant(0), async ({ program, other, payer }) => ({
      built: closeOrderInstruction(program, [{ account: other, rentPayer: payer }]),
      accounts: { order: other, sender: payer },
      fields: {},
    })),
  closeNullifier: () =>
    compare('closeNullifier', fc.constant(0), async ({ program, other, payer }) => ({
      built: closeNullifierInstruction(program, [{ account: other, rentPayer: payer }]),
      accounts: { nullifier: other, rentPayer: payer },
      fields: {},
    })),
}

function compareWithdrawal(name: string, build: typeof removeInventoryInstruction): Promise<void> {
  return compare(name, u64, async (keys, quantity) => ({
    built: await build(
      { ...keys, destination: keys.other, tokenProgram: TOKEN_2022_PROGRAM },
      quantity,
    ),
    accounts: {
      ...{ admin: keys.admin, ...(await ofMint(keys)), destination: keys.other, mint: keys.mint },
      currencyProgram: TOKEN_2022_PROGRAM,
    },
    fields: { amount: quantity },
  }))
}

const DEPOSIT = fc.record({
  ...{ orderId: bytes(16), amountIn: u64, value: u64, inner: element },
  ...{ partnerFee: fc.bigInt(1n, 2n ** 64n - 1n).map(amount), payload: bytes(PAYLOAD_BYTES) },
  ...{ deadline: seconds, validUntil: seconds },
})

function compareDeposit(isSwap: boolean, isNative: boolean, hasPartner: boolean): Promise<void> {
  return compare('deposit', DEPOSIT, async (keys, drawn) => {
    const { program, tree, payer: sender, other: senderToken, partner } = keys
    const sourceMint = isNative ? NATIVE_MINT : keys.mint
    const destinationMint = isSwap ? keys.admin : sourceMint
    const partnerFee = hasPartner ? drawn.partnerFee : amount(0n)
    const partnerAccount = hasPartner ? partner : undefined
    const terms = { ...drawn, sender, sourceMint, destinationMint, partnerFee, partnerAccount }
    const tokenProgram = TOKEN_2022_PROGRAM
    return {
      built: await depositInstruction({ program, tree, senderToken, tokenProgram }, terms),
      accounts: {
        ...{ sender, tree, instructionsSysvar: INSTRUCTIONS_SYSVAR, systemProgram: SYSTEM },
        pool: await poolAddress(program),
        order: await orderAddress(program, drawn.orderId),
        sourceAsset: await assetAddress(program, sourceMint),
        sourceVault: await vaultAddress(program, sourceMint),
        ...(isSwap ? { destinationAsset: await assetAddress(program, destinationMint) } : {}),
        ...(isNative ? {} : { senderToken, mint: sourceMint, tokenProgram }),
        ...(hasPartner ? { partner } : {}),
      },
      fields: { ...drawn, partnerFee, flags: flag(isSwap), inner: fieldToBytes(drawn.inner) },
    }
  })
}

const SETTLEMENT = fc.record({
  ...{ isRefund: fc.boolean(), isRecent: fc.boolean(), index: fc.nat(1_023), proof: bytes(256) },
  ...{ nullifier: element, payout: u64, fee: u64, payee: key, time: seconds },
  changeLeaf: element,
})

function compareSettle(isNative: boolean): Promise<void> {
  return compare('settle', SETTLEMENT, async (keys, { isRefund, isRecent, index, ...drawn }) => {
    const mint = isNative ? NATIVE_MINT : keys.mint
    const { program, tree, payer } = keys
    const tokenProgram = TOKEN_2022_PROGRAM
    const root = { kind: isRecent ? 'recent' : 'checkpoint', index } as const
    const associated = await associatedTokenAddress(drawn.payee, mint, tokenProgram)
    return {
      built: await settleInstruction({ program, tree, payer, tokenProgram }, mint, {
        ...{ ...drawn, isRefund, root },
      }),
      accounts: {
        ...{ payer, tree, systemProgram: SYSTEM, ...(await ofMint({ ...keys, mint })) },
        nullifier: await nullifierAddress(program, drawn.nullifier),
        payee: isNative ? drawn.payee : associated,
        ...(isNative ? {} : { mint, tokenProgram }),
      },
      fields: {
        ...{ ...drawn, flags: flag(isRefund), rootKind: flag(!isRecent), rootIndex: BigInt(index) },
        nullifier: fieldToBytes(drawn.nullifier),
        changeLeaf: fieldToBytes(drawn.changeLeaf),
      },
    }
  })
}

for (const { name } of IDL_INSTRUCTIONS) {
  test(`the client builds ${name} exactly as the IDL defines it`, async () => {
    const check = TESTS[name]
    if (check === undefined) throw new Error('no client code builds this instruction')
    await check()
  })
}
