import type { Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { createSettlementChain } from './create-settlement-chain.ts'

const PROGRAM = 'SysvarRent111111111111111111111111111111111' as Address
const SLOT = 9n
const ID = new Uint8Array(16).fill(7)

function orderWith(leafIndex: number) {
  const data = Buffer.alloc(56, 1)
  data[0] = 4
  data.writeBigInt64LE(600n, 8)
  data.writeBigUInt64LE(BigInt(leafIndex), 16)
  return {
    owner: PROGRAM,
    lamports: 1n,
    executable: false,
    data: [data.toString('base64'), 'base64'],
  }
}

/**
 * A node that shows the order's account with the leaf index `shown`. If `shown` is undefined, the node shows no
 * account. `asked` collects the node's requests.
 */
function nodeOf(shown: number | undefined | 'down', asked: string[] = []): ChainRpc {
  const answer = (method: string, result: unknown) => ({
    send: async () => {
      asked.push(method)
      if (shown === 'down') throw new Error('down')
      return result
    },
  })
  const account = typeof shown === 'number' ? orderWith(shown) : null
  return {
    getMultipleAccounts: (names: readonly unknown[]) =>
      answer('accounts', { context: { slot: SLOT }, value: names.map(() => account) }),
    getSignaturesForAddress: () => answer('history', []),
  } as unknown as ChainRpc
}

const chainOf = (first: ChainRpc, witnesses: readonly ChainRpc[]) =>
  createSettlementChain({
    ...{ rpc: first, witnesses, program: PROGRAM, tree: PROGRAM },
    recipients: {} as Parameters<typeof createSettlementChain>[0]['recipients'],
  })

const indexBy = async (...nodes: readonly (number | undefined | 'down')[]) => {
  const witnesses = nodes.length > 1 ? nodes.map((node) => nodeOf(node)) : []
  return (await chainOf(nodeOf(nodes[0]), witnesses).readDepositIndexes([ID], SLOT))[0]
}

it('finds an Order account that only one of several nodes hides', async () => {
  expect(await indexBy(undefined, 3)).toBe(3)
  expect(await indexBy(3, undefined)).toBe(3)
  expect(await indexBy(undefined, undefined)).toBeUndefined()
  expect(await indexBy(undefined)).toBeUndefined()
})

it('does not confirm that an Order account is missing if only one of several nodes answers', async () => {
  expect(await indexBy(undefined, 'down')).toBe('unconfirmed')
  expect(await indexBy(undefined, 'down', undefined)).toBeUndefined()
})

it('searches the history of every node for a deposit that the first node does not show', async () => {
  const asked: string[] = []
  const first = nodeOf(undefined)
  await chainOf(first, [first, nodeOf(undefined, asked)]).findDeposit(ID)
  expect(asked).toEqual(['history'])
})
