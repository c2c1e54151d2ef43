import {
  getInitializeAccount3Instruction,
  getSyncNativeInstruction,
  getTokenSize,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { getTransferSolInstruction, SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  AccountRole,
  createNoopSigner,
  getAddressDecoder,
  isOffCurveAddress,
  type Instruction,
} from '@solana/kit'
import { addressBytes, associatedTokenAddress, NATIVE_MINT, type Address } from '@sotto/protocol'
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { JUPITER, SIGNS, type MakersAccount } from '../../remote/jupiter-server.ts'
import { land } from './orders.ts'
import type { Stack } from './stack.ts'
import { makeWallet, type Wallet } from './wallet.ts'

const CALLER_FILE = fileURLToPath(
  new URL('../../../../../program/tests/fixtures/caller/sotto-caller.so', import.meta.url),
)
/** A program for `startStack` at Jupiter's address. It makes the calls that its instruction describes. */
export const JUPITER_STAND_IN = `${JUPITER}=${CALLER_FILE}`

const WRAPPED = 900_000_000_000n
const TOKENS = 900_000_000_000n

/** Yields addresses for which the program at Jupiter's address can sign, each with its bump seed. */
function* ownAddresses(): Generator<MakersAccount> {
  for (let bump = 255; bump >= 0; bump -= 1) {
    const seeds = [Buffer.from('v'), Uint8Array.of(bump), addressBytes(JUPITER)]
    const hash = createHash('sha256')
    for (const part of [...seeds, Buffer.from('ProgramDerivedAddress')]) hash.update(part)
    const account = getAddressDecoder().decode(hash.digest())
    if (isOffCurveAddress(account)) yield { account, bump }
  }
}

/**
 * Makes the market maker's token accounts of wrapped SOL and USDC. Returns them by mint. Each account is its own owner,
 * and the program at Jupiter's address signs for it, as Jupiter's pools sign for their accounts.
 */
export async function makeMarketMaker(stack: Stack): Promise<Map<Address, MakersAccount>> {
  const funder = makeWallet()
  await stack.airdrop(funder.address, WRAPPED + 10_000_000_000n)
  await stack.localnet.local('localnet_mintTokens', [funder.address, stack.usdc, `${TOKENS}`])
  const addresses = ownAddresses()
  const accounts = new Map<Address, MakersAccount>()
  for (const mint of [NATIVE_MINT, stack.usdc]) {
    const { value } = addresses.next()
    const made = value as MakersAccount
    await land(stack, funder, await creation(stack, funder, mint, made))
    accounts.set(mint, made)
  }
  return accounts
}

async function creation(
  stack: Stack,
  { address: funder }: Wallet,
  mint: Address,
  { account, bump }: MakersAccount,
): Promise<Instruction[]> {
  const payer = createNoopSigner(funder)
  const rent = await stack.rpc.getMinimumBalanceForRentExemption(BigInt(getTokenSize())).send()
  const isNative = mint === NATIVE_MINT
  const lamports = isNative ? rent + WRAPPED : rent
  const call = (data: Uint8Array): Instruction => ({
    programAddress: JUPITER,
    accounts: [
      { address: SYSTEM_PROGRAM_ADDRESS, role: AccountRole.READONLY },
      { address: account, role: AccountRole.WRITABLE },
    ],
    data: Buffer.concat([Uint8Array.of(SIGNS, bump), data]),
  })
  const allocate = Buffer.alloc(12)
  allocate[0] = 8
  allocate.writeBigUInt64LE(BigInt(getTokenSize()), 4)
  const assign = Buffer.concat([Uint8Array.of(1, 0, 0, 0), addressBytes(TOKEN_PROGRAM_ADDRESS)])
  const source = await associatedTokenAddress(funder, mint)
  return [
    getTransferSolInstruction({ source: payer, destination: account, amount: lamports }),
    call(allocate),
    call(assign),
    getInitializeAccount3Instruction({ account, mint, owner: account }),
    isNative
      ? getSyncNativeInstruction({ account })
      : getTransferInstruction({ source, destination: account, authority: payer, amount: TOKENS }),
  ]
}
