import { generateKeyPairSigner, lamports } from '@solana/kit'
import { onTestFinished } from 'vitest'
import { type LocalnetOptions, startLocalnet } from '../index.ts'
import { call, connect } from './client.ts'

/** So long that no slot passes by itself during a test. Only `pass` moves the chain. */
const STILL_SLOT_MS = 60_000
const SECONDS_PER_SLOT = STILL_SLOT_MS / 1000

/** Starts a chain whose slots don't advance by themselves. It is stopped when the test ends. */
export async function startStillChain(options: LocalnetOptions = {}) {
  const localnet = await startLocalnet({ port: 0, slotMs: STILL_SLOT_MS, ...options })
  onTestFinished(() => localnet.stop())
  const client = connect(localnet)
  return {
    ...client,
    endpoints: localnet,
    call: (method: string, params: unknown[]) => call(localnet, method, params),
    /** Lets slots pass. */
    pass: (slots: number) => call(localnet, 'localnet_advanceTime', [slots * SECONDS_PER_SLOT]),
    /** Kit's own airdrop isn't used, because it waits for a confirmation, which never comes while no slots pass. */
    async fund(amount = 1_000_000_000n) {
      const signer = await generateKeyPairSigner()
      await client.rpc.requestAirdrop(signer.address, lamports(amount)).send()
      await call(localnet, 'localnet_advanceTime', [SECONDS_PER_SLOT * 8])
      return signer
    },
  }
}
