import type { WorkHint } from '../../packages/server/src/domain/work-hint.ts'
import type { Watch } from '../check/watch.ts'
import type { MovingPrice } from './moving-price.ts'
import type { Scene } from '../run/scene.ts'

/** The environment that the service's processes and their customers share. */
export interface Stage extends Scene {
  readonly watch: Pick<Watch, 'fail' | 'proved' | 'store' | 'chain' | 'secrets'>
  /** The market's rate. */
  readonly price: MovingPrice
  readonly wakeWorkers: (hint?: WorkHint) => void
}
