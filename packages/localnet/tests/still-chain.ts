import { generateKeyPairSigner, lamports } from '@solana/kit'
import { onTestFinished } from 'vitest'
import { type LocalnetOptions, startLocalnet } from '../index.ts'
import { call, connect } from './client.ts'

/** The slot time. It is longer than a test, so the chain advances only when a test advances it. */
const STILL_SLOT_MS = 60_000
const SECONDS_PER_SLOT = STILL_SLOT_MS / 1000

/** Starts a chain whose slots advance only by `pass` and `fund`. The chain is stopped when the test ends. */
export async function startStillChain(options: LocalnetOptions = {}) {
  const localnet = await startLocalnet({ port: 0, slotMs: STILL_SLOT_MS, ...options })
  onTestFinished(() => localnet.stop())
  const client = connect(localnet)
  return {
    ...client,
    endpoints: localnet,
    call: (method: string, params: unknown[]) => call(localnet, method, params),
    /** Advances the chain by this many slots. */
    pass: (slots: number) => call(localnet, 'localnet_advanceTime', [slots * SECONDS_PER_SLOT]),
    /** Pays an airdrop. Kit's own airdrop function would wait for a confirmation, which needs new slots. */
    async fund(amount = 1_000_000_000n) {
      const signer = await generateKeyPairSigner()
      await client.rpc.requestAirdrop(signer.address, lamports(amount)).send()
      await call(localnet, 'localnet_advanceTime', [SECONDS_PER_SLOT * 8])
      return signer
    },
  }
}
