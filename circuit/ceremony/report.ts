import { BEACON_DELAY_SECONDS, describeBeacon } from './beacon-source.ts'
import { secondsOf } from './check-transcript.ts'
import { firstRoundFrom, timeOfRound } from './drand.ts'
import { findShortcomings } from './requirements.ts'
import { type Contribution, type Entry, type Transcript, hashTranscript } from './transcript.ts'

/** Describes a verified transcript: the circuit, each entry, the transcript's hash, and what the ceremony lacks. */
export function reportCeremony(transcript: Transcript): string[] {
  const shortcomings = findShortcomings(transcript)
  return [
    `circuit     ${transcript.circuit.name}, constraints ${transcript.circuit.r1cs}`,
    ...transcript.entries.map(describeEntry),
    `transcript  ${hashTranscript(transcript)}`,
    ...(shortcomings.length === 0
      ? ['The ceremony is complete. Its key is not a development key.']
      : ['The ceremony is not complete:', ...shortcomings.map((line) => `  ${line}`)]),
  ]
}

function describeEntry(entry: Entry): string {
  if (entry.kind === 'start') {
    const { published, power } = entry
    if (published === undefined) return `start       fresh powers of tau, 2^${power}`
    const { source, hash, contributions } = published
    return `start       2^${power} from ${source}, hash ${hash}, ${contributions} contributions`
  }
  if (entry.kind === 'prepared') return `prepared    ${entry.sha256}, first key ${entry.keySha256}`
  const what = entry.kind === 'beacon' ? describeBeacon(entry.source) : entry.name
  const by = entry.kind === 'beacon' ? '' : ` by ${entry.publicKey} at ${entry.at}`
  return (
    `${entry.kind === 'beacon' ? 'beacon' : 'phase'} ${entry.phase}`.padEnd(12) +
    `${what}${by}, ${entry.hash}`
  )
}

/** The text that a participant publishes about their own contribution. */
export function reportContribution(made: Contribution): string[] {
  return [
    `I contributed to phase ${made.phase} of the Sotto ceremony as ${made.name} at ${made.at}.`,
    `contribution ${made.hash}`,
    `file         ${made.file}, SHA-256 ${made.sha256}`,
    `my key       ${made.publicKey}`,
  ]
}

/** The beacons that may close a phase if this contribution is the phase's last. */
export function reportBeaconDue(last: Contribution): string[] {
  const from = secondsOf(last) + BEACON_DELAY_SECONDS
  const round = firstRoundFrom(from)
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString()
  return [
    `If this is the last contribution, the phase is closed by drand quicknet's round ${round}`,
    `(${at(timeOfRound(round))}), or by a Bitcoin block of the six hours from ${at(from)}.`,
  ]
}
