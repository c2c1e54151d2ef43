import { powersOfTau, zKey } from 'snarkjs'
import { BEACON_ITERATIONS_EXP } from '../contribution.ts'
import { addStep, openPhaseOf } from './add-step.ts'
import { type BeaconSource, assertBeaconFollows, beaconValue } from './beacon-source.ts'
import { secondsOf } from './check-transcript.ts'
import { type Beacon, contributionsOf } from './transcript.ts'
import { writeTranscript } from './transcript-file.ts'
import { BEACON_NAME, verifyCeremony } from './verify-ceremony.ts'

/**
 * Closes the open phase with a value that was unknown at the time of its last contribution.
 *
 * @throws Error if the ceremony so far is invalid, if the phase has no contribution, if the source's proof is invalid,
 *   or if another source is required.
 */
export async function closePhase(
  folder: string,
  r1cs: string,
  source: BeaconSource,
): Promise<Beacon> {
  const transcript = await verifyCeremony(folder, r1cs, 'newest')
  const phase = openPhaseOf(transcript)
  const last = contributionsOf(transcript, phase).at(-1)
  if (last === undefined) throw new Error(`Phase ${phase} has no contribution to close.`)
  const value = beaconValue(source)
  assertBeaconFollows(source, secondsOf(last))
  const made = await addStep(folder, transcript, phase, (from, to) =>
    (phase === 1 ? powersOfTau : zKey).beacon(from, to, BEACON_NAME, value, BEACON_ITERATIONS_EXP),
  )
  const entry: Beacon = { kind: 'beacon', ...made, source }
  await writeTranscript(folder, { ...transcript, entries: [...transcript.entries, entry] })
  return entry
}
