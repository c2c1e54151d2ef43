import { wasmPoseidon } from '@sotto/poseidon'
import { createSettlementStore } from '../../../src/adapters/store/settlement/settlement-store.ts'
import { NoteOpener } from '../../../src/settlement/notes/open-note.ts'
import { unknownLeaves } from '../../../src/settlement/notes/unknown-leaves.ts'
import type { Stack } from './stack.ts'

/** Counts the leaves in the database that no order explains and that weren't written off. */
export async function countUnknown({ database, secrets, domain }: Stack): Promise<number> {
  const store = createSettlementStore(database, secrets)
  const log = { alert: () => undefined, failed: () => undefined, event: () => undefined }
  const opener = new NoteOpener({ secrets, poseidon: wasmPoseidon, pool: { domain }, log })
  const payments = await opener.openPayments(await store.listPayments())
  const leaves = payments.map(({ changeLeaf }) => changeLeaf)
  const appendedPayments = (await store.findLeaves(leaves)).size
  const open = await store.listOpen()
  const changeLeaves = (await opener.openAll(open)).map(({ changeLeaf }) => changeLeaf)
  const ledger = await store.readLedger()
  const settled = (await store.findLeaves(changeLeaves)).size
  const notes = { count: open.length, settled, appendedPayments }
  return unknownLeaves(ledger, notes) - 2 * ledger.writtenOff
}
