import type { Address } from '@solana/kit'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { listPage, secondsOf } from './list-signatures.ts'

const ADDRESS = 'SysvarC1ock11111111111111111111111111111111' as Address

/**
 * A node that lists two transactions. It lists the older transaction without its block's time. If that time is
 * requested, the node answers `blockTime`.
 */
function node(blockTime: bigint | null): ChainRpc {
  const later = (answer: unknown) => ({ send: () => Promise.resolve(answer) })
  const rpc = {
    getSignaturesForAddress: () =>
      later([
        { signature: 'newer', slot: 8n, err: null, blockTime: 800n },
        { signature: 'older', slot: 7n, err: null, blockTime: null },
      ]),
    getBlockTime: (slot: bigint) => later(slot === 7n ? blockTime : 1n),
  }
  return rpc as unknown as ChainRpc
}

it("requests the block's time if a transaction is listed without a time", async () => {
  const rpc = node(700n)
  const listed = await listPage(rpc, ADDRESS, {})
  expect(listed.map(({ signature }) => signature)).toEqual(['newer', 'older'])
  expect(await Promise.all(listed.map((one) => secondsOf(rpc, one)))).toEqual([800n, 700n])
})

it('fails only for the transaction whose time is unknown', async () => {
  const rpc = node(null)
  const [newer, older] = await listPage(rpc, ADDRESS, {})
  expect(await secondsOf(rpc, newer!)).toBe(800n)
  await expect(secondsOf(rpc, older!)).rejects.toThrow(/block's time/)
})
