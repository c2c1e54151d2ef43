import { createHash } from 'node:crypto'
import type { BeaconSource } from './beacon-source.ts'

export type PhaseNumber = 1 | 2

/** The origin of the powers of tau: fresh ones without a contribution, or a published file. */
export interface Start {
  kind: 'start'
  power: number
  file: string
  sha256: string
  /**
   * `hash` is the SHA-256 or BLAKE2b-512 of the file, as published at `source`. The other members describe the file's
   * content.
   */
  published?: { source: string; hash: string; contributions: number; endsInBeacon: boolean }
}

/** One participant's contribution. `hash` is the contribution's hash in snarkjs, a BLAKE2b-512. */
export interface Contribution {
  kind: 'contribution'
  phase: PhaseNumber
  file: string
  sha256: string
  hash: string
  name: string
  publicKey: string
  /** The time by the participant's own clock, ISO 8601 in UTC to the second. */
  at: string
  /** Ed25519 signature of all entries up to and including this one: see `statementOf`. */
  signature: string
}

/** The value that closes a phase. It is public except in a rehearsal. */
export interface Beacon {
  kind: 'beacon'
  phase: PhaseNumber
  file: string
  sha256: string
  hash: string
  source: BeaconSource
}

/** The step from phase 1 to phase 2: the prepared powers, and the key before any contribution. */
export interface Prepared {
  kind: 'prepared'
  file: string
  sha256: string
  keyFile: string
  keySha256: string
}

export type Step = Contribution | Beacon
export type Entry = Start | Step | Prepared

/** The steps of a ceremony, in order. The whole transcript is public. */
export interface Transcript {
  format: 1
  circuit: { name: string; r1cs: string }
  entries: Entry[]
}

/** The text form of a transcript. The transcript's hash is the hash of this text. */
export const renderTranscript = (transcript: Transcript): string =>
  `${JSON.stringify(transcript, null, 2)}\n`

/** SHA-256 of a transcript's text form, in hexadecimal. */
export const hashTranscript = (transcript: Transcript): string =>
  createHash('sha256').update(renderTranscript(transcript)).digest('hex')

/**
 * The text that a contributor signs. It contains the circuit and every entry up to the contributor's own entry. So each
 * contributor confirms the whole history up to that point. `at` is the index of the contribution among the entries.
 */
export function statementOf(transcript: Transcript, at: number): string {
  const signed = transcript.entries.slice(0, at + 1).map((entry, index) => {
    if (index < at || entry.kind !== 'contribution') return entry
    const { signature: _, ...unsigned } = entry
    return unsigned
  })
  const text = JSON.stringify({ ...transcript, entries: signed })
  return `sotto ceremony contribution\n${createHash('sha256').update(text).digest('hex')}`
}

/** The contributions and the beacon of a phase, in order. */
export const stepsOf = (transcript: Transcript, phase: PhaseNumber): Step[] =>
  transcript.entries.filter(
    (entry): entry is Step =>
      (entry.kind === 'contribution' || entry.kind === 'beacon') && entry.phase === phase,
  )

/** The contributions of a phase, in order. */
export const contributionsOf = (transcript: Transcript, phase: PhaseNumber): Contribution[] =>
  stepsOf(transcript, phase).filter((step) => step.kind === 'contribution')

/** The path of the file of step `index` of a phase. Step 0 is the start of the phase. */
export const fileOf = (phase: PhaseNumber, index: number): string =>
  `phase${phase}/${String(index).padStart(4, '0')}.${phase === 1 ? 'ptau' : 'zkey'}`

/** The path of the prepared powers of tau for phase 2. */
export const PREPARED_FILE = 'phase1/prepared.ptau'

/** The entry that opened phase 2; undefined while phase 2 isn't open. */
export const preparedIn = (transcript: Transcript): Prepared | undefined =>
  transcript.entries.find((entry) => entry.kind === 'prepared')

/** The first entry. @throws Error if the first entry isn't a start, which never happens in a checked transcript. */
export function startOf(transcript: Transcript): Start {
  const [first] = transcript.entries
  if (first?.kind !== 'start') throw new Error('The transcript does not begin with a start.')
  return first
}
