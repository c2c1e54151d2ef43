import { createSolanaRpc } from '@solana/kit'
import { expect, it } from 'vitest'
import type { CliContext } from '../context.ts'
import { checkNode } from './check-chain.ts'

it('never prints the key that a node’s address may contain', async () => {
  const rpcUrl = 'http://127.0.0.1:1/v2/secret-path?api-key=secret-query'
  const settings = { rpcUrl }
  const rpc = async () => createSolanaRpc(rpcUrl)
  const found = await checkNode({ settings, rpc } as unknown as CliContext)
  expect(found).toMatchObject([
    { state: 'fail', found: expect.stringMatching(/^127\.0\.0\.1:1 does not answer/) },
  ])
  expect(JSON.stringify(found)).not.toContain('secret')
})
