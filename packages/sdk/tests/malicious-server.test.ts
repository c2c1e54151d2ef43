import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { verifyOrder } from '../wallet.ts'
import { ATTACKS } from './attacks/attacks.ts'
import { describeAttacks } from './attacks/describe-attacks.ts'
import { inputOf, placeHonestOrders, type HonestOrder } from './attacks/honest-order.ts'

let stack: HttpStack
let orders: ReadonlyMap<string, HonestOrder>

beforeAll(async () => {
  stack = await startHttpStack()
  orders = await placeHonestOrders(stack)
})
afterAll(() => stack?.close())

describeAttacks((name) => orders.get(name)!)

it('a verified order describes the program as the caller’s own node shows it', async () => {
  for (const honest of orders.values()) {
    const verified = await verifyOrder({ ...inputOf(honest), facts: undefined, rpc: stack.rpc })
    expect(verified.program).toMatchObject({ isExpected: true, hasDevelopmentKey: true })
    expect(verified.program.upgradeAuthority).not.toBeNull()
  }
})

it('refuses a program or an asset that the caller’s node does not know', async () => {
  const honest = orders.get('a send of USDC')!
  const input = { ...inputOf(honest), facts: undefined, rpc: stack.rpc }
  const refused = { refusals: [{ code: 'chain' }] }
  const elsewhere = { ...input, programId: stack.usdc }
  await expect(verifyOrder(elsewhere)).rejects.toMatchObject(refused)
  const sourceAssetId = stack.partner.address
  const other = { ...input, expected: { ...honest.expected, sourceAssetId } }
  await expect(verifyOrder(other)).rejects.toMatchObject(refused)
})

it('lists every attack with its refusal in docs/sdk.md', async () => {
  const text = await readFile(new URL('../../../docs/sdk.md', import.meta.url), 'utf8')
  // The table's columns are padded with spaces, so remove the padding.
  const page = text.replaceAll(/ +\|/g, ' |')
  const rows = ATTACKS.map(({ name, code, of }) => `| ${name} | ${of} | \`${code}\` |`)
  expect(rows.filter((row) => !page.includes(row))).toEqual([])
  const listed = page.split('\n').filter((line) => /\| `[a-z_]+` \|$/.test(line))
  expect(listed.length).toBe(ATTACKS.length)
})
