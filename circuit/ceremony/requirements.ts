import { isPublic } from './beacon-source.ts'
import { KNOWN_POWERS } from './published-powers.ts'
import {
  type PhaseNumber,
  type Transcript,
  contributionsOf,
  startOf,
  stepsOf,
} from './transcript.ts'

/**
 * Contributors that each phase needs. One who is honest and forgets is enough for soundness; fewer than
 * three are too easily the same office.
 */
export const LEAST_CONTRIBUTORS = 3

/**
 * What keeps a verified transcript's key a development key, one sentence each; none for a key that
 * may guard real funds. It judges a transcript that has already been verified, and verifies nothing.
 *
 * @param known hashes of public powers of tau that others vouch for; only a test passes its own
 */
export function findShortcomings(
  transcript: Transcript,
  known: readonly string[] = [...KNOWN_POWERS.values()],
): string[] {
  const { published } = startOf(transcript)
  const isUnknown = published !== undefined && !known.includes(published.hash)
  return [
    ...(isUnknown ? [UNKNOWN_POWERS] : []),
    ...shortcomingsOfPhase(transcript, 1),
    ...shortcomingsOfPhase(transcript, 2),
  ]
}

const UNKNOWN_POWERS =
  'Phase 1 begins with powers of tau whose hash is none of those that this program knows.'

function shortcomingsOfPhase(transcript: Transcript, phase: PhaseNumber): string[] {
  const people = contributionsOf(transcript, phase).length
  const last = stepsOf(transcript, phase).at(-1)
  const published = phase === 1 ? publishedStart(transcript) : undefined
  const contributors = people + (published?.contributions ?? 0)
  const shortcomings: string[] = []
  if (contributors < LEAST_CONTRIBUTORS) {
    shortcomings.push(
      `Phase ${phase} has ${contributors} of the ${LEAST_CONTRIBUTORS} contributors that it needs.`,
    )
  }
  if (last === undefined && published?.endsInBeacon === true) return shortcomings
  if (last?.kind !== 'beacon') shortcomings.push(`Phase ${phase} is not closed by a beacon.`)
  else if (!isPublic(last.source)) shortcomings.push(`The beacon of phase ${phase} is not public.`)
  return shortcomings
}

/** The file that phase 1 began with, if others published it; its beacon counts as a contribution there. */
function publishedStart(transcript: Transcript) {
  const { published } = startOf(transcript)
  if (published === undefined) return undefined
  const { contributions, endsInBeacon } = published
  return { contributions: contributions - (endsInBeacon ? 1 : 0), endsInBeacon }
}
