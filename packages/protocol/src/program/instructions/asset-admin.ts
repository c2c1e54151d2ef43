import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import {
  getStructEncoder,
  getU32Encoder,
  getU64Encoder,
  getU8Encoder,
  type Address,
  type Instruction,
} from '@solana/kit'
import { NATIVE_MINT } from '../../constants.ts'
import type { Amount } from '../../units.ts'
import { assetAddress, poolAddress, vaultAddress } from '../addresses.ts'
import { readonly, signer, TAG, writable, writableSigner } from './meta.ts'

export interface AssetLimits {
  /** Maximum of one deposit's `amountIn`, in base units. */
  readonly depositMax: Amount
  /**
   * The most that swaps may take from the inventory at once, in base units. An amount that swaps have taken becomes
   * available again at a constant rate over `swapPeriodSeconds`.
   */
  readonly swapCap: Amount
  readonly swapPeriodSeconds: number
}

interface AssetAdmin {
  readonly program: Address
  readonly admin: Address
  readonly mint: Address
  /** The program that owns the token mint; the default is SPL Token. */
  readonly tokenProgram?: Address | undefined
}

const moverOf = ({ mint, tokenProgram = TOKEN_PROGRAM_ADDRESS }: AssetAdmin): Address =>
  mint === NATIVE_MINT ? SYSTEM_PROGRAM_ADDRESS : tokenProgram

const addEncoder = getStructEncoder([
  ['tag', getU8Encoder()],
  ['depositMax', getU64Encoder()],
  ['swapCap', getU64Encoder()],
  ['swapPeriodSeconds', getU32Encoder()],
])

/** Creates an Asset and its vault. The payer funds the rent of both accounts. */
export async function addAssetInstruction(
  at: AssetAdmin & { readonly payer: Address },
  limits: AssetLimits,
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: [
      writableSigner(at.payer),
      signer(at.admin),
      readonly(await poolAddress(at.program)),
      readonly(at.mint),
      writable(await assetAddress(at.program, at.mint)),
      writable(await vaultAddress(at.program, at.mint)),
      readonly(moverOf(at)),
      readonly(SYSTEM_PROGRAM_ADDRESS),
    ],
    data: addEncoder.encode({ ...limits, tag: TAG.addAsset }),
  }
}

const setEncoder = getStructEncoder([
  ['tag', getU8Encoder()],
  ['depositsPaused', getU8Encoder()],
  ['depositMax', getU64Encoder()],
  ['swapCap', getU64Encoder()],
  ['swapPeriodSeconds', getU32Encoder()],
])

/** Sets an asset's pause and limits. Existing notes are unaffected. */
export async function setAssetInstruction(
  at: AssetAdmin,
  config: AssetLimits & { readonly depositsPaused: boolean },
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: [
      signer(at.admin),
      readonly(await poolAddress(at.program)),
      writable(await assetAddress(at.program, at.mint)),
    ],
    data: setEncoder.encode({
      ...config,
      tag: TAG.setAsset,
      depositsPaused: config.depositsPaused ? 1 : 0,
    }),
  }
}

const amountEncoder = getStructEncoder([
  ['tag', getU8Encoder()],
  ['amount', getU64Encoder()],
])

async function moveAccounts(at: AssetAdmin, admin: ReturnType<typeof signer>, other: Address) {
  return [
    admin,
    readonly(await poolAddress(at.program)),
    writable(await assetAddress(at.program, at.mint)),
    writable(await vaultAddress(at.program, at.mint)),
    writable(other),
    readonly(at.mint),
    readonly(moverOf(at)),
  ]
}

/** Moves the admin's funds into the inventory for swaps. `source` is a token account; native SOL doesn't use it. */
export async function addInventoryInstruction(
  at: AssetAdmin & { readonly source?: Address },
  amount: Amount,
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: await moveAccounts(at, writableSigner(at.admin), at.source ?? at.admin),
    data: amountEncoder.encode({ tag: TAG.addInventory, amount }),
  }
}

/** Withdraws inventory. The amount can't exceed the inventory, so the funds owed to notes stay untouched. */
export async function removeInventoryInstruction(
  at: AssetAdmin & { readonly destination: Address },
  amount: Amount,
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: await moveAccounts(at, signer(at.admin), at.destination),
    data: amountEncoder.encode({ tag: TAG.removeInventory, amount }),
  }
}

/** Withdraws fees that settlements have earned. */
export async function collectFeesInstruction(
  at: AssetAdmin & { readonly destination: Address },
  amount: Amount,
): Promise<Instruction> {
  return {
    programAddress: at.program,
    accounts: await moveAccounts(at, signer(at.admin), at.destination),
    data: amountEncoder.encode({ tag: TAG.collectFees, amount }),
  }
}
