import { NATIVE_MINT } from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { readPaid } from './public-wallets.ts'

const AT = { program: NATIVE_MINT, tree: NATIVE_MINT }
const { signal } = new AbortController()

/**
 * A node that has pruned the transaction at which a listing should end (`until`). `ends` collects the `until` of each
 * request.
 */
function forgetfulNode(code: number) {
  const ends: unknown[] = []
  const rpc = {
    getSignaturesForAddress: (_address: unknown, { until }: { readonly until?: Signature }) => ({
      send: async () => {
        ends.push(until)
        if (until === undefined) return [{ signature: 'newer', err: {} }]
        throw Object.assign(new Error('refused'), { context: { __code: code } })
      },
    }),
  } as unknown as ChainRpc
  return { rpc, ends }
}

it('lists the newest transactions without `until` if the node has pruned the last seen transaction', async () => {
  const { rpc, ends } = forgetfulNode(-32_020)
  const { until } = await readPaid(rpc, AT, 'pruned' as Signature, signal)
  expect([until, ends]).toEqual(['newer', ['pruned', undefined]])
})

it('fails on any other error of the node', async () => {
  const { rpc, ends } = forgetfulNode(-32_603)
  await expect(readPaid(rpc, AT, 'last' as Signature, signal)).rejects.toThrow('refused')
  expect(ends).toEqual(['last'])
})
