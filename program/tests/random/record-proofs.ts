/**
 * Writes recorded-proofs.json: the proofs that random sequences settle with. Run with tsx after a new
 * proving key, or after a change to the notes of the snapshot; it takes some minutes.
 */
import { writeFileSync } from 'node:fs'
import { settleInputs, unixSeconds } from '@sotto/protocol'
import { poseidon } from '../fixtures/poseidon.ts'
import { prove } from '../fixtures/proofs.ts'
import { planProofs, PROOFS_FILE, treeOf, vkeyHash } from './recorded-proofs.ts'
import { SNAPSHOT_NOTES, snapshotOrder } from './snapshot-orders.ts'
import { World } from './world.ts'

const world = await World.start()
const orders = await Promise.all(
  Array.from({ length: SNAPSHOT_NOTES }, (_, index) => snapshotOrder(world, index)),
)
const tree = treeOf(orders)
const proofs = []
for (const { note: index, isRefund, time } of planProofs(orders)) {
  const order = orders[index]
  if (order === undefined) throw new Error('a proof is planned for no note')
  const position = { leafIndex: BigInt(index), path: tree.path(index) }
  const times = { isRefund, time: unixSeconds(time) }
  const proof = await prove(settleInputs(poseidon, order.note, position, times))
  const text = Buffer.from(proof).toString('base64')
  proofs.push({ note: index, isRefund, time: time.toString(), proof: text })
  console.log(`${proofs.length} proofs`)
}
const file = { vkeyHash: vkeyHash(), root: tree.root.toString(), proofs }
writeFileSync(PROOFS_FILE, `${JSON.stringify(file, null, 2)}\n`)
