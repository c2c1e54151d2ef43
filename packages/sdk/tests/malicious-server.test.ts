import type { Address } from '@sotto/protocol'
import type { KeyPairSigner } from '@solana/kit'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { solSend } from '../../server/tests/http/partner-client.ts'
import { PROGRAM } from '../../server/tests/settlement/stack/localnet-process.ts'
import {
  memoryTickets,
  OrderRefusedError,
  signAndSubmit,
  signOrder,
  verifyOrder,
  type VerifiedOrder,
} from '../wallet.ts'
import type { Answered, Attack } from './attacks/attack.ts'
import { authorisationAttacks } from './attacks/authorisation-attacks.ts'
import { forgeTransaction } from './attacks/forge.ts'
import { placeHonestOrder, type HonestOrder } from './attacks/honest-order.ts'
import { shapeAttacks } from './attacks/shape-attacks.ts'
import { termAttacks } from './attacks/term-attacks.ts'
import { ticketAttacks } from './attacks/ticket-attacks.ts'
import { wireAttacks } from './attacks/wire-attacks.ts'

const ATTACKS = [
  ...termAttacks,
  ...ticketAttacks,
  ...authorisationAttacks,
  ...shapeAttacks,
  ...wireAttacks,
]

let stack: HttpStack
const orders = new Map<string, HonestOrder>()

beforeAll(async () => {
  stack = await startHttpStack()
  const { usdc, partner } = stack
  const share = { feeBps: 50, feeRecipientAddress: partner.address }
  const tokens = { sourceAssetId: usdc, destinationAssetId: usdc }
  const requests = {
    'a send of SOL': solSend(stack, share),
    'a send of USDC': solSend(stack, { ...share, ...tokens }),
    'a swap of SOL for USDC': solSend(stack, { ...share, destinationAssetId: usdc }),
  }
  for (const [name, request] of Object.entries(requests)) {
    orders.set(name, await placeHonestOrder(stack, PROGRAM, request))
  }
})
afterAll(() => stack?.close())

const KINDS: Record<string, readonly Attack['of'][]> = {
  'a send of SOL': ['any', 'partner', 'send'],
  'a send of USDC': ['any', 'partner', 'send', 'token'],
  'a swap of SOL for USDC': ['any', 'partner', 'swap'],
}

/** A wallet that would sign anything, and counts. */
function carelessWallet(sender: Address) {
  const seen = { asked: 0 }
  const signer = {
    address: sender,
    signTransactions: async () => {
      seen.asked += 1
      return []
    },
  } as unknown as KeyPairSigner
  return { seen, signer }
}

async function refusalsOf(honest: HonestOrder, { order, quote }: Answered): Promise<string[]> {
  const { expected, facts, program } = honest
  const { seen, signer } = carelessWallet(expected.sender)
  let refusals: string[] = []
  try {
    const verified = await verifyOrder({ order, quote, expected, facts, programId: program })
    await signAndSubmit(verified, { signer, rpc: stack.rpc, tickets: memoryTickets() })
  } catch (error) {
    if (!(error instanceof OrderRefusedError)) throw error
    refusals = error.refusals.map(({ code }) => code)
  }
  expect(seen.asked, 'times that the wallet was asked').toBe(0)
  return refusals
}

describe.each(Object.entries(KINDS))('%s', (name, kinds) => {
  it('is taken as it is, also with another blockhash, and says what the program is', async () => {
    const honest = orders.get(name)!
    const { expected, quote, program, terms } = honest
    const transaction = await forgeTransaction(honest, {})
    for (const order of [honest.order, { ...honest.order, transaction }]) {
      const input = { order, quote, expected, programId: program, rpc: stack.rpc }
      const verified = await verifyOrder(input)
      expect(verified.terms).toEqual(terms)
      expect(verified.program).toMatchObject({ isExpected: true })
      expect(verified.program.upgradeAuthority).not.toBeNull()
    }
  })

  const attacks = ATTACKS.filter(({ of }) => kinds.includes(of))
  it.each(attacks.map((attack) => [attack.name, attack] as const))(
    'is refused before anything is signed when %s',
    async (_, attack) => {
      const honest = orders.get(name)!
      expect(await refusalsOf(honest, await attack.answer(honest))).toContain(attack.code)
    },
  )
})

it('a refreshed order that is another order is refused, however honest it is', async () => {
  const [first, second] = [orders.get('a send of SOL')!, orders.get('a send of USDC')!]
  const { order, quote, expected, facts, program } = second
  const input = { order, quote, expected, facts, programId: program }
  await verifyOrder({ ...input, refreshed: order })
  const again = verifyOrder({ ...input, refreshed: first.order })
  await expect(again).rejects.toMatchObject({ refusals: [{ code: 'refreshed' }] })
})

it('a program or an asset that the own node does not know is refused', async () => {
  const { order, quote, expected, program } = orders.get('a send of USDC')!
  const input = { order, quote, expected, programId: program, rpc: stack.rpc }
  const refused = { refusals: [{ code: 'chain' }] }
  const elsewhere = { ...input, programId: stack.usdc }
  await expect(verifyOrder(elsewhere)).rejects.toMatchObject(refused)
  const sourceAssetId = stack.partner.address
  const other = { ...input, expected: { ...expected, sourceAssetId } }
  await expect(verifyOrder(other)).rejects.toMatchObject(refused)
  const { rpc: _rpc, ...blind } = input
  await expect(verifyOrder(blind)).rejects.toMatchObject(refused)
})

it('nothing can be signed that was not verified, whatever its members say', async () => {
  const { order, quote, expected, facts, program } = orders.get('a send of SOL')!
  const verified = await verifyOrder({ order, quote, expected, facts, programId: program })
  const { seen, signer } = carelessWallet(expected.sender)
  const forged: VerifiedOrder = { ...verified, message: new Uint8Array(10) }
  await expect(signOrder(forged, signer)).rejects.toThrow(TypeError)
  expect(seen.asked).toBe(0)
})

it('docs/sdk.md lists every attack with the refusal that it meets', async () => {
  const text = await readFile(new URL('../../../docs/sdk.md', import.meta.url), 'utf8')
  // Columns are padded.
  const page = text.replaceAll(/ +\|/g, ' |')
  const rows = ATTACKS.map(({ name, code, of }) => `| ${name} | ${of} | \`${code}\` |`)
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
  const listed = page.split('\n').filter((line) => /\| `[a-z_]+` \|$/.test(line))
  expect(listed.length).toBe(ATTACKS.length)
})
