import { assertBeaconFollows, beaconValue } from './beacon-source.ts'
import { isSignedBy } from './identity.ts'
import {
  type Contribution,
  type Entry,
  type PhaseNumber,
  type Transcript,
  PREPARED_FILE,
  contributionsOf,
  fileOf,
  statementOf,
} from './transcript.ts'

/**
 * Checks a transcript as far as possible without the ceremony's other files. The entries must be in order, and every
 * signature must be valid. Each participant may contribute at most once to a phase. Times must never decrease. If a
 * phase has a beacon, `assertBeaconFollows` must accept the beacon. The ceremony may be unfinished.
 *
 * @throws Error that names the first wrong entry.
 */
export function assertTranscriptHolds(transcript: Transcript): void {
  assertOrder(transcript.entries)
  assertSignatures(transcript)
  assertPeople(transcript)
  assertTimes(transcript)
}

/** The time of a contribution in Unix seconds, according to the contributor's clock. */
export const secondsOf = ({ at }: Contribution): number => Date.parse(at) / 1_000

function assertOrder(entries: readonly Entry[]): void {
  const [first] = entries
  if (first?.kind !== 'start' || first.file !== fileOf(1, 0)) {
    throw new Error('The transcript does not begin with a start.')
  }
  let phase: PhaseNumber = 1
  let steps = 0
  let isClosed = false
  const refuse = (at: number, what: string): never => {
    throw new Error(`Entry ${at} of the transcript ${what}.`)
  }
  entries.forEach((entry, at) => {
    if (at === 0) return
    if (entry.kind === 'start') return refuse(at, 'is a second start')
    if (entry.kind === 'prepared') {
      const isReady = phase === 1 && (isClosed || (steps === 0 && first.published !== undefined))
      if (!isReady) refuse(at, 'opens phase 2 although phase 1 is not closed')
      if (entry.file !== PREPARED_FILE || entry.keyFile !== fileOf(2, 0))
        refuse(at, 'misnames files')
      ;[phase, steps, isClosed] = [2, 0, false]
      return
    }
    if (entry.phase !== phase || isClosed) refuse(at, 'adds to a phase that is not open')
    steps += 1
    if (entry.file !== fileOf(phase, steps)) {
      const due = fileOf(phase, steps)
      refuse(at, `has ${entry.file} where ${due} belongs: an entry was dropped, added or moved`)
    }
    if (entry.kind === 'beacon' && steps === 1) refuse(at, 'closes a phase without contributions')
    isClosed = entry.kind === 'beacon'
  })
}

function assertSignatures(transcript: Transcript): void {
  transcript.entries.forEach((entry, at) => {
    if (entry.kind !== 'contribution') return
    if (!isSignedBy(entry.publicKey, statementOf(transcript, at), entry.signature)) {
      throw new Error(
        `The signature of ${entry.name} (${entry.file}) is invalid: ` +
          'this entry or an earlier entry was altered.',
      )
    }
  })
}

function assertPeople(transcript: Transcript): void {
  const keyOf = new Map<string, string>()
  const nameOf = new Map<string, string>()
  for (const phase of [1, 2] as const) {
    const seen = new Set<string>()
    for (const { name, publicKey } of contributionsOf(transcript, phase)) {
      const plain = name.toLowerCase()
      if (seen.has(plain) || seen.has(publicKey)) {
        throw new Error(`${name} contributed twice to phase ${phase}.`)
      }
      seen.add(plain).add(publicKey)
      if (
        (keyOf.get(plain) ?? publicKey) !== publicKey ||
        (nameOf.get(publicKey) ?? plain) !== plain
      ) {
        throw new Error(
          `${name} used a different key, or a different name, for an earlier contribution.`,
        )
      }
      keyOf.set(plain, publicKey)
      nameOf.set(publicKey, plain)
    }
  }
}

function assertTimes(transcript: Transcript): void {
  let last = 0
  for (const entry of transcript.entries) {
    if (entry.kind === 'contribution') {
      const time = secondsOf(entry)
      if (!(time >= last))
        throw new Error(`${entry.name} (${entry.file}) is dated before the previous contribution.`)
      last = time
    } else if (entry.kind === 'beacon') {
      beaconValue(entry.source)
      assertBeaconFollows(entry.source, last)
    }
  }
}
