import type { Instruction } from '@solana/kit'
import type { PreparedSettlement, Snapshot } from '../random/snapshot-shape.ts'

/**
 * The prepared settlement of one of the snapshot's notes. With `time`, the settlement that was proved for that time.
 */
export function settlementOf(
  { settlements }: Snapshot,
  note: number,
  isRefund: boolean,
  time?: bigint,
): PreparedSettlement {
  const found = settlements.find(
    (one) =>
      one.note === note &&
      one.settlement.isRefund === isRefund &&
      (time === undefined || one.settlement.time === time),
  )
  if (found === undefined) throw new Error('no such proof was recorded')
  return found
}

/** Sends instructions signed by the relayer at `clock`. Returns the refusal; undefined if they landed. */
export async function relay(
  { world }: Snapshot,
  clock: bigint,
  instructions: readonly Instruction[],
): Promise<string | undefined> {
  world.fixture.chain.setTime(clock)
  return (await world.send([world.actors.relayer], instructions)).refusal
}
