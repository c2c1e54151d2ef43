import { expect, it } from 'vitest'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import { readChainHead } from './read-chain-head.ts'

const CLOCK_BYTES = 40

/** A node at height 1,000 that shows `lastValidBlockHeight` with its newest blockhash. */
function nodeShowing(lastValidBlockHeight: bigint): ChainRpc {
  const answers = {
    getEpochInfo: { absoluteSlot: 1_200n, blockHeight: 1_000n },
    getLatestBlockhash: { value: { blockhash: 'hash', lastValidBlockHeight } },
    getMultipleAccounts: {
      context: { slot: 1_200n },
      value: [
        {
          owner: 'Sysvar1111111111111111111111111111111111111',
          ...{ lamports: 1n, executable: false },
          data: [Buffer.alloc(CLOCK_BYTES).toString('base64'), 'base64'],
        },
      ],
    },
  }
  return new Proxy({} as ChainRpc, {
    get: (_, method: keyof typeof answers) => () => ({ send: async () => answers[method] }),
  })
}

it('a false last valid height does not make a dead transaction look alive', async () => {
  const lastOf = async (shown: bigint) =>
    (await readChainHead(nodeShowing(shown))).lastValidBlockHeight
  expect(await lastOf(1_150n)).toBe(1_150n)
  // The blockhash may come from a node that is some blocks ahead.
  expect(await lastOf(1_170n)).toBe(1_170n)
  expect(await lastOf(10n ** 15n)).toBe(1_200n)
})
