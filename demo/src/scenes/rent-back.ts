import { NULLIFIER_BYTES, ORDER_BYTES } from '@sotto/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from '../stage.ts'

const DAY_SECONDS = 86_400n
/** This time is longer than the life of a Nullifier, which is 61 days and four hours. */
const DAYS = 62n
const POLL_MS = 500
const PATIENCE_MS = 40_000

/** Lets two months pass. Then the service returns every account's rent to the wallet that paid it. */
export async function rentBack(stage: Stage): Promise<void> {
  stage.progress.scene(`${DAYS} days later: the rent comes back`)
  await stage.passage.untilTime((await stage.chain.clock()) + DAYS * DAY_SECONDS)
  for (let waited = 0; waited < PATIENCE_MS; waited += POLL_MS) {
    const orders = (await stage.chain.accountsOfSize(stage.program, ORDER_BYTES)).length
    const nullifiers = (await stage.chain.accountsOfSize(stage.program, NULLIFIER_BYTES)).length
    if (orders + nullifiers === 0) {
      stage.progress.done('no Order and no Nullifier account is left on chain')
      return
    }
    stage.progress.doing(`${orders} Order and ${nullifiers} Nullifier accounts left`)
    await sleep(POLL_MS)
  }
  throw new Error('rent of Order or Nullifier accounts was not returned')
}
