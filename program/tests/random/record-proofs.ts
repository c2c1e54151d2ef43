/**
 * Writes recorded-proofs.json: the proofs that random sequences use. Run it with tsx after a change of the proving key,
 * or of the snapshot's notes.
 */
import { writeFileSync } from 'node:fs'
import { proveQuickly } from '../fixtures/quick-prover.ts'
import { statementOf } from '../fixtures/settlements.ts'
import {
  planProofs,
  PROOFS_FILE,
  renderProofs,
  treeOf,
  type RecordedProof,
} from './recorded-proofs.ts'
import { SNAPSHOT_NOTES, snapshotOrder } from './snapshot-orders.ts'
import { World } from './world.ts'

const world = await World.start()
const orders = await Promise.all(
  Array.from({ length: SNAPSHOT_NOTES }, (_, index) => snapshotOrder(world, index)),
)
const tree = treeOf(orders)
const proofs: RecordedProof[] = []
for (const { note, wish } of planProofs(orders)) {
  const order = orders[note]
  if (order === undefined) throw new Error('a proof is planned for a note that does not exist')
  const { inputs, settlement } = statementOf(tree, order, note, wish)
  proofs.push({ note, settlement: { ...settlement, proof: await proveQuickly(inputs) } })
  console.log(`${proofs.length} proofs`)
}
writeFileSync(PROOFS_FILE, renderProofs(tree.root, proofs))
