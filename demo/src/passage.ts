import { setTimeout as sleep } from 'node:timers/promises'
import type { Chain } from './chain.ts'
import type { Progress } from './progress.ts'
import { callLocal } from './stack/call-local.ts'

/** Controls how time passes. Our own chain's time is advanced immediately. On any other chain, real time must pass. */
export interface Passage {
  /** Waits until the chain's clock shows at least this Unix second. */
  untilTime(time: bigint): Promise<void>
  /** Waits until the confirmed block height is above `height`. */
  beyondHeight(height: bigint): Promise<void>
  /** Waits for the next block. */
  oneBlock(): Promise<void>
}

/** This time is longer than the life of a blockhash, which is 150 blocks of 400 ms. */
const BLOCKHASH_LIFE_SECONDS = 90
const ONE_BLOCK_SECONDS = 1
const POLL_MS = 1_000

/** Advances the local chain's time immediately. */
export function advancingPassage(chain: Chain, rpcUrl: string): Passage {
  const advance = (seconds: number) => callLocal(rpcUrl, 'localnet_advanceTime', [seconds])
  return {
    async untilTime(time) {
      const missing = Number(time - (await chain.clock()))
      if (missing > 0) await advance(missing)
    },
    async beyondHeight(height) {
      while ((await chain.height()) <= height) await advance(BLOCKHASH_LIFE_SECONDS)
    },
    async oneBlock() {
      await advance(ONE_BLOCK_SECONDS)
    },
  }
}

/** Waits for real time to pass, on a chain that isn't ours. */
export function waitingPassage(chain: Chain, progress: Progress): Passage {
  const until = async (isOver: () => Promise<string | null>) => {
    for (;;) {
      const missing = await isOver()
      if (missing === null) return
      progress.doing(`waiting: ${missing}`)
      await sleep(POLL_MS)
    }
  }
  return {
    untilTime: (time) =>
      until(async () => {
        const missing = time - (await chain.clock())
        return missing > 0n ? `${missing} s by the chain's clock` : null
      }),
    beyondHeight: (height) =>
      until(async () => {
        const missing = height - (await chain.height())
        return missing >= 0n ? `${missing + 1n} blocks` : null
      }),
    async oneBlock() {
      const before = await chain.height()
      await until(async () => ((await chain.height()) > before ? null : 'a block'))
    },
  }
}
