import { getCreateAccountInstruction } from '@solana-program/system'
import {
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getFreezeAccountInstruction,
  getInitializeMint2InstructionDataEncoder,
  getMintToInstruction,
  getThawAccountInstruction,
} from '@solana-program/token'
import { AccountRole, createNoopSigner, type Instruction } from '@solana/kit'
import {
  addressBytes,
  associatedTokenAddress,
  TOKEN_2022_PROGRAM,
  type Address,
} from '@sotto/protocol'
import { sendTransaction } from '../../../src/adapters/chain/settlement/send-transaction.ts'
import { signTransaction } from '../../../src/adapters/chain/settlement/sign-transaction.ts'
import { waitUntil, type Stack } from './stack.ts'
import { makeWallet, type Wallet } from './wallet.ts'

/** A mint extension: the instruction that adds it, and its size in bytes. */
interface Extension {
  readonly size: number
  readonly data: (mint: Address) => Uint8Array
}

/** The metadata pointer names the mint itself. The pointer has no authority. */
export const METADATA_POINTER: Extension = {
  size: 64,
  data: (mint) => Uint8Array.of(39, 0, ...new Uint8Array(32), ...addressBytes(mint)),
}

/** A permanent delegate can move the tokens of every account. */
export const PERMANENT_DELEGATE: Extension = {
  size: 32,
  data: (mint) => Uint8Array.of(35, ...addressBytes(mint)),
}

const MINT_BYTES = 166

async function land(stack: Stack, signers: [Wallet, ...Wallet[]], instructions: Instruction[]) {
  const signed = await signTransaction(stack.rpc, signers, instructions)
  await sendTransaction(stack.rpc, signed.wire)
  await waitUntil(async () => {
    const { value } = await stack.rpc.getSignatureStatuses([signed.signature as never]).send()
    if (value[0]?.err) throw new Error('the transaction failed')
    return value[0]?.confirmationStatus === 'finalized'
  })
}

/**
 * Creates a Token-2022 mint with one extension. The admin is its mint authority. If the mint is freezable, the admin
 * may freeze its accounts.
 */
export async function makeMint2022(
  stack: Stack,
  extension: Extension,
  isFreezable = false,
): Promise<Address> {
  const mint = makeWallet()
  const space = MINT_BYTES + 4 + extension.size
  const onMint = (data: Uint8Array): Instruction => ({
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [{ address: mint.address, role: AccountRole.WRITABLE }],
    data,
  })
  const { admin } = stack
  const initialize = getInitializeMint2InstructionDataEncoder().encode({
    decimals: 6,
    mintAuthority: admin.address,
    freezeAuthority: isFreezable ? admin.address : null,
  })
  await land(
    stack,
    [admin, mint],
    [
      getCreateAccountInstruction({
        payer: createNoopSigner(admin.address),
        newAccount: createNoopSigner(mint.address),
        lamports: await stack.rpc.getMinimumBalanceForRentExemption(BigInt(space)).send(),
        space,
        programAddress: TOKEN_2022_PROGRAM,
      }),
      onMint(extension.data(mint.address)),
      onMint(new Uint8Array(initialize)),
    ],
  )
  return mint.address
}

/** Creates the wallet's associated account and mints tokens into it. */
export async function mintTokens2022(
  stack: Stack,
  owner: Address,
  mint: Address,
  amount: bigint,
): Promise<void> {
  const tokenProgram = TOKEN_2022_PROGRAM
  const ata = await associatedTokenAddress(owner, mint, tokenProgram)
  const signer = createNoopSigner(stack.admin.address)
  const at = { programAddress: TOKEN_2022_PROGRAM }
  await land(
    stack,
    [stack.admin],
    [
      getCreateAssociatedTokenIdempotentInstruction({
        payer: signer,
        ata,
        owner,
        mint,
        tokenProgram,
      }),
      getMintToInstruction({ mint, token: ata, mintAuthority: signer, amount }, at),
    ],
  )
}

/** Freezes or thaws a wallet's associated account, as the issuer of a freezable mint can. */
export async function setFrozen(
  stack: Stack,
  owner: Address,
  mint: Address,
  isFrozen: boolean,
): Promise<void> {
  const account = await associatedTokenAddress(owner, mint, TOKEN_2022_PROGRAM)
  const input = { account, mint, owner: createNoopSigner(stack.admin.address) }
  const at = { programAddress: TOKEN_2022_PROGRAM }
  const make = isFrozen ? getFreezeAccountInstruction : getThawAccountInstruction
  await land(stack, [stack.admin], [make(input, at)])
}

/** Closes a wallet's empty associated account. */
export async function closeToken2022(stack: Stack, owner: Wallet, mint: Address): Promise<void> {
  const account = await associatedTokenAddress(owner.address, mint, TOKEN_2022_PROGRAM)
  const signer = createNoopSigner(owner.address)
  const at = { programAddress: TOKEN_2022_PROGRAM }
  const close = { account, destination: owner.address, owner: signer }
  await land(stack, [owner], [getCloseAccountInstruction(close, at)])
}
