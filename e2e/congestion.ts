import { awaitDelivery, placeSolSend, type Placed } from '../demo/src/scenes/transfer.ts'
import type { Scene } from '../demo/src/play-scenes.ts'
import type { CongestedNode } from '../testing/stage/congested-node.ts'

const ORDERS = 6
/**
 * The time limit of a delivery, in milliseconds. When the blockhash of a dropped transaction has expired, the service
 * sends a new transaction with a higher price. A blockhash expires after 20 seconds on the embedded chain, and after
 * about a minute on a cluster. An order needs at most six attempts to reach the highest price.
 */
const PATIENCE_MS = 1_200_000

/**
 * A scene with a congested endpoint. The endpoint drops 90 % of the transactions that pay less than a certain price,
 * and this price changes. Every order must still be delivered. The report shows the costs of the deliveries.
 */
export const congestion =
  ({ seen }: Pick<CongestedNode, 'seen'>): Scene =>
  async (stage) => {
    const { progress } = stage
    progress.scene('Deliveries through a congested node')
    const placed: Placed[] = []
    for (let index = 1; index <= ORDERS; index += 1) {
      placed.push(await placeSolSend(stage, `SOL send ${index}, congested`))
    }
    for (const one of placed)
      await awaitDelivery(stage, one.name, one, one.depositSignature, PATIENCE_MS)
    const dropped = [...seen.values()].filter(({ isDropped }) => isDropped).length
    progress.done(`the service sent ${seen.size} transactions, and the endpoint dropped ${dropped}`)
    if (dropped === 0)
      throw new Error('the endpoint dropped no transaction, so this run tests nothing')
  }
