import type { WorkHint } from '../../packages/server/src/domain/work-hint.ts'
import type { Endpoint } from '../chain/endpoint.ts'
import type { Ledger } from '../chain/ledger.ts'
import { Keystore } from '../run/keystore.ts'
import { openStores } from '../run/stores.ts'
import type { SeededRandom } from '../time/seeded-random.ts'
import { Api } from './api.ts'
import { drawRelayers } from './setting.ts'
import type { Stage } from './stage.ts'
import { Worker } from './worker.ts'

/** A second service on the same pool, with its own database, keys and relayers. It makes payments only. */
export class Rival {
  readonly stage: Stage
  readonly api: Api
  readonly worker: Worker
  readonly endpoint: Endpoint

  constructor(stage: Stage, node: Endpoint, random: SeededRandom) {
    const { watch } = stage
    this.endpoint = node
    this.stage = Object.create(stage, {
      memory: { value: openStores() },
      keystore: { value: new Keystore(random.stream('keystore'), []) },
      parties: { value: { ...stage.parties, relayers: drawRelayers(random) } },
      // The checks during the run read only the first service's database, so they don't watch this service. The
      // balances that pay through this service are checked on the chain, and at the end of the run.
      watch: {
        value: {
          fail: watch.fail,
          proved: () => undefined,
          store: <Store>(store: Store) => store,
          chain: <Chain>(chain: Chain) => chain,
          secrets: <Secrets>(secrets: Secrets) => secrets,
        },
      },
      wakeWorkers: { value: (hint?: WorkHint) => this.worker.wake(hint) },
    }) as Stage
    this.api = new Api(this.stage, node, 'rival api')
    this.worker = new Worker(this.stage, 'rival', node)
  }

  fund(ledger: Ledger, position: number, lamports: bigint): void {
    for (const { address } of this.stage.parties.relayers) {
      ledger.lamports.write(address, position, lamports)
    }
  }

  start(): void {
    this.worker.start()
    this.api.start()
  }
}
