import { NATIVE_MINT } from '@sotto/protocol'
import {
  AccountRole,
  createKeyPairSignerFromBytes,
  getTransactionDecoder,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { CALLER_FILE } from '../../../program/tests/fixtures/caller.ts'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import { decodeOrderMessage } from '../src/verify/decode-order-message.ts'
import {
  memoryTickets,
  OrderRefusedError,
  signAndSubmit,
  signOrder,
  verifyOrder,
  type VerifiedOrder,
} from '../wallet.ts'
import {
  clockGuard,
  exchangeRoles,
  guard,
  lamportsGuard,
  LIGHTHOUSE,
  listUnused,
  read,
  readOneLess,
  rebuildingWallet,
  tokenGuard,
  useLookupTable,
  withInstructions,
  withMessage,
} from './attacks/guarding-wallet.ts'
import {
  inputOf,
  placeHonestOrder,
  placeHonestOrders,
  readSigner,
  type HonestOrder,
} from './attacks/honest-order.ts'
import { getAddMemoInstruction } from './attacks/memo.ts'
import { THIEF } from './attacks/thief.ts'
import { openBooks } from './transfer/paying.ts'

/** Maximum size of a transaction on the network, in bytes. */
const WIRE_MAX = 1_232

let stack: HttpStack
let sender: KeyPairSigner
let other: KeyPairSigner
let honest: HonestOrder
let verified: VerifiedOrder

beforeAll(async () => {
  // Lighthouse is the program with which wallets add guards. We can't build it, so the program in CALLER_FILE runs at
  // its address. If that program gets no accounts, it accepts any data.
  stack = await startHttpStack(undefined, undefined, [`${LIGHTHOUSE}=${CALLER_FILE}`])
  sender = await createKeyPairSignerFromBytes(new Uint8Array(stack.sender.keypair))
  other = await readSigner(stack.adminFile)
})
beforeEach(async () => {
  honest = await placeHonestOrder(stack, PROGRAM, solSend(stack))
  verified = await verifyOrder(inputOf(honest))
})
afterAll(() => stack?.close())

const appended = (...guards: Instruction[]) => withInstructions((all) => [...all, ...guards])

describe('a wallet that guards the transaction', () => {
  it.each([
    ['with one instruction after the deposit, as Phantom adds it', 1],
    ['with two instructions after the deposit, as Solflare adds them', 2],
  ])('pays, and the deposit lands: %s', async (_, count) => {
    const books = await openBooks(stack)
    const guards = Array.from({ length: count }, clockGuard)
    const signer = rebuildingWallet(appended(...guards), sender)
    await signAndSubmit(verified, { signer, rpc: stack.rpc, tickets: memoryTickets() })
    const amountIn = BigInt(honest.quote.amountIn)
    await expect.poll(() => books.spent()).toBeGreaterThan(amountIn)
  })

  it('may add guards that read any accounts, and these fit into every order’s transaction', async () => {
    const orders = await placeHonestOrders(stack)
    for (const [name, order] of orders) {
      const one = await verifyOrder(inputOf(order))
      const guards = [lamportsGuard(sender.address), tokenGuard(stack.partner.address)]
      const { wire } = await signOrder(one, rebuildingWallet(appended(...guards), sender))
      const signed = getTransactionDecoder().decode(wire!)
      expect(
        decodeOrderMessage(new Uint8Array(signed.messageBytes)).instructions.length,
        name,
      ).toBe(decodeOrderMessage(one.message).instructions.length + 2)
      expect(wire!.length, name).toBeLessThanOrEqual(WIRE_MAX)
    }
  })
})

/** A copy of the instruction with its last byte changed. */
function bent({ data = new Uint8Array(), ...instruction }: Instruction): Instruction {
  const changed = new Uint8Array(data)
  changed[changed.length - 1]! ^= 1
  return { ...instruction, data: changed }
}
const reversed = ({ accounts = [], ...instruction }: Instruction): Instruction => ({
  ...instruction,
  accounts: accounts.toReversed(),
})
const asWritable = (): Instruction => {
  const { accounts } = decodeOrderMessage(verified.message).instructions.at(-1)!
  const onlyRead = accounts.find(({ role }) => role === AccountRole.READONLY)!
  return guard([5, 0], { address: onlyRead.address, role: AccountRole.WRITABLE })
}
/** Changes one instruction (the deposit or a budget instruction), and appends a guard. */
const changed = (at: number, change: (one: Instruction) => Instruction) =>
  withInstructions((all) => [...all.with(at, change(all.at(at)!)), clockGuard()])
const partnerGuard = () => lamportsGuard(stack.partner.address)

type Rebuild = Parameters<typeof rebuildingWallet>[0]

const FORBIDDEN: [string, () => Rebuild][] = [
  ['three guards', () => appended(clockGuard(), clockGuard(), clockGuard())],
  ['a guard before the deposit', () => withInstructions((all) => [clockGuard(), ...all])],
  [
    'a guard between authorisation and deposit',
    () => withInstructions((all) => all.toSpliced(-1, 0, clockGuard())),
  ],
  ['a guard and a memo', () => appended(clockGuard(), getAddMemoInstruction('thanks'))],
  ['a call of another program', () => appended({ ...clockGuard(), programAddress: THIEF })],
  ['a guard that writes memory', () => appended(guard([0, 0, 0], read(sender.address)))],
  ['a guard that closes memory', () => appended(guard([1, 0, 0], read(sender.address)))],
  ['a guard that calls another program', () => appended(guard([16, 0], read(THIEF)))],
  ['a guard of an unknown kind', () => appended(guard([18, 0]))],
  ['a guard without data', () => appended(guard([]))],
  [
    'a new account that may be written',
    () => appended(guard([5, 0], { address: THIEF, role: AccountRole.WRITABLE })),
  ],
  ['an account of the deposit that may now be written', () => appended(asWritable())],
  ['the deposit again', () => withInstructions((all) => [...all, all.at(-1)!])],
  ['a changed byte of the deposit', () => changed(-1, bent)],
  ['the accounts of the deposit in another sequence', () => changed(-1, reversed)],
  ['a changed compute budget', () => changed(0, bent)],
  ['a changed authorisation', () => changed(-2, bent)],
  [
    'another blockhash',
    () => withMessage((message) => void (message.lifetimeToken = NATIVE_MINT), partnerGuard()),
  ],
  ['an account that no instruction uses', () => withMessage(listUnused, partnerGuard())],
  [
    'a sequence of accounts that makes another account writable',
    () => withMessage(exchangeRoles, partnerGuard()),
  ],
  [
    'a count of read-only accounts that makes another account writable',
    () => withMessage(readOneLess, partnerGuard()),
  ],
  ['a lookup table', () => withMessage(useLookupTable, partnerGuard())],
]

describe('a wallet that changes more of the transaction than the permitted guards', () => {
  it.each(FORBIDDEN)('is refused, and nothing is submitted: %s', async (_, make) => {
    let submitted = 0
    const rpc = new Proxy(stack.rpc, {
      get: (object, key) => {
        if (key === 'sendTransaction') submitted += 1
        return Reflect.get(object, key) as unknown
      },
    })
    const signer = rebuildingWallet(make(), sender)
    const paid = signAndSubmit(verified, { signer, rpc, tickets: memoryTickets() })
    await expect(paid).rejects.toThrow(OrderRefusedError)
    expect(submitted).toBe(0)
  })

  it('is refused with a second signer, with or without the second signature', async () => {
    const asked = appended(
      guard([5, 0], { address: other.address, role: AccountRole.READONLY_SIGNER }),
    )
    for (const signers of [[sender], [sender, other]]) {
      const signed = signOrder(verified, rebuildingWallet(asked, ...signers))
      await expect(signed).rejects.toThrow(OrderRefusedError)
    }
  })

  it('is refused with another fee payer', async () => {
    const paying = withInstructions((all) => [...all, clockGuard()], other.address)
    const signed = signOrder(verified, rebuildingWallet(paying, sender, other))
    await expect(signed).rejects.toThrow(OrderRefusedError)
  })

  it('is refused with guards that the signature does not cover', async () => {
    const wallet = rebuildingWallet(appended(clockGuard()), sender)
    const unsigned = {
      ...wallet,
      signWire: async (wire: Uint8Array) => {
        const signed = new Uint8Array(await wallet.signWire(wire))
        signed[10]! ^= 1
        return signed
      },
    }
    const refused = { refusals: [{ code: 'signers' }] }
    await expect(signOrder(verified, unsigned)).rejects.toMatchObject(refused)
  })
})
