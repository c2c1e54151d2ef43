import type { TreeKeeper } from '../../ports/tree-keeper.ts'
import type { Loop, StartLoop } from '../../running/loop.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'
import { epochDestroyer } from './destroy-epochs.ts'
import { inventedDepositEnder, type InventedDependencies } from './end-invented.ts'
import { leafExplainer, type ExplainDependencies } from './explain-leaves.ts'
import { followPrices, type FollowPriceDependencies } from './follow-prices.ts'
import { endingNotifier } from './notice-endings.ts'
import { reconciler, type ReconcileDependencies } from './reconcile.ts'

type UpkeepDependencies = ReconcileDependencies &
  ExplainDependencies &
  DestroyDependencies &
  InventedDependencies &
  FollowPriceDependencies & {
    readonly tree: VerifiedTree
    readonly treeKeeper?: TreeKeeper | undefined
  }

/** Starts the upkeep loops. All of them have the same pause between rounds. */
export function upkeepLoops(d: UpkeepDependencies, everyMs: number, loop: StartLoop): Loop[] {
  const destroyEpochs = epochDestroyer(d)
  return [
    loop('reconcile', everyMs, reconciler(d)),
    loop('explain', everyMs, onceFollowed(d.tree, leafExplainer(d))),
    loop(
      'unit_price',
      everyMs,
      onceFollowed(d.tree, () => followPrices(d)),
    ),
    loop('end_invented', everyMs, onceFollowed(d.tree, inventedDepositEnder(d))),
    loop('notice_endings', everyMs, onceFollowed(d.tree, endingNotifier(d))),
    // Before the tree has all leaves of the chain, the database may lack deposits whose orders still need their keys.
    loop('destroy', everyMs, async () => (d.tree.isWhole ? destroyEpochs() : undefined)),
    loop('keep_tree', everyMs, async () =>
      d.tree.isWhole ? d.treeKeeper?.save(d.tree) : undefined,
    ),
  ]
}

/** Wraps a step that needs the chain's clock. Before the tree is verified, the step does nothing. */
export const onceFollowed =
  (tree: Pick<VerifiedTree, 'isVerified'>, step: () => Promise<void>) => async (): Promise<void> =>
    tree.isVerified ? step() : undefined
