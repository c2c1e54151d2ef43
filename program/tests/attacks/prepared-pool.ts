import type { Instruction } from '@solana/kit'
import type { PreparedSettlement, Snapshot } from '../random/snapshot-shape.ts'

/** The prepared settlement of a note of the snapshot. If `time` is given, the settlement was proved for that time. */
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

/** Sends instructions of the relayer at `clock`; undefined if they landed. */
export async function relay(
  { world }: Snapshot,
  clock: bigint,
  instructions: readonly Instruction[],
): Promise<string | undefined> {
  world.fixture.chain.setTime(clock)
  return (await world.send([world.actors.relayer], instructions)).refusal
}
