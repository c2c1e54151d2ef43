import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { lamports, type Address, type Instruction, type KeyPairSigner } from '@solana/kit'
import {
  assetAddress,
  associatedTokenAddress,
  NATIVE_MINT,
  nullifierAddress,
  TOKEN_2022_PROGRAM,
  vaultAddress,
  amount,
} from '@sotto/protocol'
import { beforeAll, describe, expect, it } from 'vitest'
import { draftOrder, recipientOf } from '../../../../program/tests/fixtures/deposits.ts'
import { Ledger } from '../../../../program/tests/fixtures/ledger.ts'
import { addAsset, startPool, type PoolFixture } from '../../../../program/tests/fixtures/pool.ts'
import { gridAfter } from '../../../../program/tests/fixtures/grid.ts'
import { makeSettlement, settle } from '../../../../program/tests/fixtures/settlements.ts'
import { makeMint2022, METADATA_POINTER } from '../../../../program/tests/fixtures/token-2022.ts'
import { encodeTokenAccount, makeMint } from '../../../../program/tests/fixtures/token-accounts.ts'
import { tokenAccountState, walletState } from '../../src/adapters/chain/settlement/payee-rules.ts'
import type { RawAccount } from '../../src/adapters/rpc/read-accounts.ts'

const OTHER_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address
const STATE = 108
const FROZEN = 2
const IMMUTABLE_OWNER = [2, 7, 0, 0, 0]
const MEMO_REQUIRED = [2, 7, 0, 0, 0, 8, 0, 1, 0, 1]
const MULTISIG_BYTES = 355
/** The runtime reserves this address, although it never has an account. */
const RESERVED = 'Sysvar1nstructions1111111111111111111111111' as Address

/** A note that can be settled now, and the account that receives its payment. */
interface Scene {
  readonly instruction: Instruction
  readonly mint: Address
  readonly payee: Address
  readonly account: Address
  readonly nullifier: Address
}

let fixture: PoolFixture
let relayer: KeyPairSigner
let native: Scene
let token: Scene
let token2022: Scene
let reserved: Scene

beforeAll(async () => {
  fixture = await startPool()
  const { chain } = fixture
  relayer = await chain.wallet()
  const { mint: mint2022 } = await makeMint2022(chain, [METADATA_POINTER])
  await addAsset(fixture, mint2022)
  const ledger = new Ledger()
  const mints = [NATIVE_MINT, fixture.token, mint2022, NATIVE_MINT]
  const orders = []
  for (const [index, sourceMint] of mints.entries()) {
    const recipient = index === 3 ? RESERVED : (await chain.key()).address
    const order = await draftOrder(fixture, { sourceMint, amountOut: 1_000_000_000n, recipient })
    await ledger.deposit(fixture, order)
    orders.push(order)
  }
  const scenes = []
  for (const [index, order] of orders.entries()) {
    const { note } = order
    const payee = recipientOf(order)
    const time = gridAfter(chain.time)
    const settlement = await makeSettlement(ledger, order, index, { time })
    const program = index === 2 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM_ADDRESS
    scenes.push({
      instruction: await settle(fixture, relayer, note.mint, settlement),
      mint: note.mint,
      payee,
      account:
        note.mint === NATIVE_MINT ? payee : await associatedTokenAddress(payee, note.mint, program),
      nullifier: await nullifierAddress(chain.program, settlement.nullifier),
    })
  }
  ;[native, token, token2022, reserved] = scenes as [Scene, Scene, Scene, Scene]
})

const FULL = amount(10_000_000n)

const raw = (owner: Address, data: Uint8Array | number = 0, isExecutable = false): RawAccount => ({
  owner,
  lamports: FULL,
  isExecutable,
  data: typeof data === 'number' ? new Uint8Array(data) : data,
})

/** Tests with a real proof whether the program pays this account, and rolls back the payment. */
async function isPaid(scene: Scene, account: RawAccount | undefined): Promise<boolean> {
  const { chain } = fixture
  const put = (address: Address, one: RawAccount | undefined) =>
    chain.svm.setAccount({
      address,
      data: one?.data ?? new Uint8Array(0),
      executable: one?.isExecutable ?? false,
      lamports: lamports(one?.lamports ?? 0n),
      programAddress: one?.owner ?? SYSTEM_PROGRAM_ADDRESS,
      space: BigInt(one?.data.length ?? 0),
    })
  put(scene.account, account)
  const kept = [
    await assetAddress(chain.program, scene.mint),
    await vaultAddress(chain.program, scene.mint),
  ].map((address) => chain.svm.getAccount(address))
  const { refusal } = await chain.send([relayer], [scene.instruction])
  put(scene.nullifier, undefined)
  for (const one of kept) if (one.exists) chain.svm.setAccount(one)
  return refusal === undefined
}

const withState = (data: Uint8Array, state: number) => {
  data[STATE] = state
  return data
}
const extended = (data: Uint8Array, ...bytes: number[]) => Uint8Array.of(...data, ...bytes)
const padded = (data: Uint8Array, size: number) => {
  const whole = new Uint8Array(size)
  whole.set(data)
  return whole
}

describe('the program pays a wallet exactly if the service calls the wallet payable or absent', () => {
  const wallets: [string, () => RawAccount | undefined, 'payable' | 'absent' | 'blocked'][] = [
    ['absent', () => undefined, 'absent'],
    ['ordinary', () => raw(SYSTEM_PROGRAM_ADDRESS), 'payable'],
    ['a nonce', () => raw(SYSTEM_PROGRAM_ADDRESS, 80), 'payable'],
    ['owned by another program', () => raw(OTHER_PROGRAM, 40), 'payable'],
    ['turned into a token account', () => raw(TOKEN_PROGRAM_ADDRESS, 165), 'blocked'],
    ['turned into a mint', () => raw(TOKEN_PROGRAM_ADDRESS, 82), 'blocked'],
    ['turned into a Token-2022 account', () => raw(TOKEN_2022_PROGRAM, 170), 'blocked'],
    ["an account of the pool's program", () => raw(fixture.chain.program, 56), 'blocked'],
  ]
  it.each(wallets)('%s', async (_, account, state) => {
    const { program } = fixture.chain
    expect(walletState(account(), { wallet: native.payee, program })).toBe(state)
    expect(await isPaid(native, account())).toBe(state !== 'blocked')
  })

  it('the service never calls a program payable', () => {
    const program = raw(OTHER_PROGRAM, 36, true)
    const of = { wallet: native.payee, program: fixture.chain.program }
    expect(walletState(program, of)).toBe('blocked')
  })

  it('an address without an account, if the runtime reserves it', async () => {
    expect(walletState(undefined, { wallet: RESERVED, program: fixture.chain.program })).toBe(
      'blocked',
    )
    expect(await isPaid(reserved, undefined)).toBe(false)
    expect(await isPaid(native, undefined)).toBe(true)
  })
})

describe('the program pays a token account exactly if the service calls the account payable', () => {
  const own = (scene: Scene) => encodeTokenAccount(scene.mint, scene.payee, 0n)
  type Case = [string, () => Scene, (scene: Scene) => RawAccount | undefined | Promise<RawAccount>]
  const cases: [...Case, 'payable' | 'absent' | 'blocked'][] = [
    ['absent', () => token, () => undefined, 'absent'],
    ['only lamports that were sent in advance', () => token, () => raw(SYSTEM_PROGRAM_ADDRESS), 'absent'],
    ["the wallet's own", () => token, (at) => raw(TOKEN_PROGRAM_ADDRESS, own(at)), 'payable'],
    ['frozen', () => token, (at) => raw(TOKEN_PROGRAM_ADDRESS, withState(own(at), FROZEN)), 'blocked'],
    ['not initialised', () => token, (at) => raw(TOKEN_PROGRAM_ADDRESS, withState(own(at), 0)), 'blocked'],
    ["with a multisig's length", () => token, (at) => raw(TOKEN_PROGRAM_ADDRESS, padded(own(at), MULTISIG_BYTES)), 'blocked'],
    ['that belongs to another wallet', () => token, (at) => raw(TOKEN_PROGRAM_ADDRESS, encodeTokenAccount(at.mint, relayer.address, 0n)), 'blocked'],
    ['of another mint', () => token, async (at) => raw(TOKEN_PROGRAM_ADDRESS, encodeTokenAccount(await makeMint(fixture.chain), at.payee, 0n)), 'blocked'],
    ['owned by another program', () => token, (at) => raw(OTHER_PROGRAM, own(at)), 'blocked'],
    ['Token-2022', () => token2022, (at) => raw(TOKEN_2022_PROGRAM, extended(own(at), ...IMMUTABLE_OWNER)), 'payable'],
    ['Token-2022 that requires a memo', () => token2022, (at) => raw(TOKEN_2022_PROGRAM, extended(own(at), ...MEMO_REQUIRED)), 'blocked'],
    ['Token-2022 with the kind of a mint', () => token2022, (at) => raw(TOKEN_2022_PROGRAM, extended(own(at), 1, 0, 0, 0, 0)), 'blocked'],
    ["Token-2022 with a multisig's length", () => token2022, (at) => raw(TOKEN_2022_PROGRAM, padded(extended(own(at), ...IMMUTABLE_OWNER), MULTISIG_BYTES)), 'blocked'],
  ] // oxfmt-ignore
  it.each(cases)('%s', async (_, sceneOf, accountOf, state) => {
    const scene = sceneOf()
    const account = await accountOf(scene)
    const tokenProgram = scene === token2022 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM_ADDRESS
    const of = { mint: scene.mint, wallet: scene.payee, tokenProgram }
    expect(tokenAccountState(account, of)).toBe(state)
    // The program doesn't pay an absent account. Another instruction must open the account first.
    expect(await isPaid(scene, account)).toBe(state === 'payable')
  })
})
