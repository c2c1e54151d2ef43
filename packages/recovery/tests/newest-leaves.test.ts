import { RECENT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { indexAmongNewest, type RecoveryRpc } from '../index.ts'
import { FakeChain, PROGRAM, TREE } from './fake-chain.ts'
import { nodeOf } from './fake-node.ts'

const LEAF = 4_711n
const others = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 9_000))

/** A tree with the wanted leaf, `before` leaves before this leaf, and `after` leaves after it. */
async function chainWith(before: number, after: number): Promise<FakeChain> {
  const chain = await new FakeChain().open()
  chain.fill([...others(before), LEAF, ...others(after)])
  return chain
}

/** A node that changes each of its responses about the tree. `number` counts the responses, starting at 1. */
const answering = (rpc: RecoveryRpc, change: (answer: Answer, number: number) => Answer) => {
  let number = 0
  const getAccountInfo = (...asked: Parameters<RecoveryRpc['getAccountInfo']>) => ({
    send: async () => {
      const answer = (await rpc.getAccountInfo(...asked).send()) as unknown as Answer
      return asked[0] === TREE ? change(answer, (number += 1)) : answer
    },
  })
  return new Proxy(rpc, {
    get: (whole, key) =>
      key === 'getAccountInfo' ? getAccountInfo : (Reflect.get(whole, key) as unknown),
  })
}

interface Answer {
  readonly context: { readonly slot: bigint }
  readonly value: { readonly owner: string; readonly data: readonly [string, string] }
}

it.each([
  ['the only one', 0, 0],
  ['the last of many', 200, 0],
  ['the 64th from the end', 200, 63],
  ['the newest leaves are at both ends of the ring', RECENT - 5, 20],
])('finds a leaf among the newest without the rest of the tree: %s', async (_, before, after) => {
  const lengths: number[] = []
  const rpc = answering(nodeOf(await chainWith(before, after)).rpc, (answer) => {
    lengths.push(Buffer.from(answer.value.data[0], 'base64').length)
    return answer
  })
  expect(await indexAmongNewest(rpc, PROGRAM, LEAF)).toBe(BigInt(before))
  expect(Math.max(...lengths)).toBeLessThanOrEqual(64 * 64)
})

it.each([
  ['the 65th from the end', 200, 64],
  ['so old that another leaf has replaced it in the ring', 3, RECENT],
])('does not find a leaf that is %s', async (_, before, after) => {
  const { rpc } = nodeOf(await chainWith(before, after))
  expect(await indexAmongNewest(rpc, PROGRAM, LEAF)).toBeUndefined()
})

it('gives no index if two responses show the tree at different times', async () => {
  const chain = await chainWith(200, 0)
  const { rpc } = nodeOf(chain)
  // The second response contains a newer leaf in a ring entry that, according to the first response, contains an older
  // leaf.
  const overtaken = answering(rpc, (answer, number) => {
    if (number === 1) chain.fill([...others(RECENT - 11), 5_000n, ...others(9)])
    return answer
  })
  expect(await indexAmongNewest(overtaken, PROGRAM, 5_000n)).toBeUndefined()
  const late = answering(rpc, (answer, number) =>
    number === 1 ? answer : { ...answer, context: { slot: answer.context.slot - 1n } },
  )
  expect(await indexAmongNewest(late, PROGRAM, 5_000n)).toBeUndefined()
})

it('gives no index if the node returns too many bytes, or an account of another program', async () => {
  const { rpc } = nodeOf(await chainWith(200, 0))
  const longer = answering(rpc, (answer) => {
    const bytes = Buffer.from(answer.value.data[0], 'base64')
    const data = [Buffer.concat([bytes, bytes]).toString('base64'), 'base64'] as const
    return { ...answer, value: { ...answer.value, data } }
  })
  expect(await indexAmongNewest(longer, PROGRAM, LEAF)).toBeUndefined()
  const foreign = answering(rpc, (answer, number) =>
    number === 1 ? answer : { ...answer, value: { ...answer.value, owner: TREE } },
  )
  expect(await indexAmongNewest(foreign, PROGRAM, LEAF)).toBeUndefined()
})
