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
 * Minimum number of contributors to each phase. The key is sound if at least one contributor to each phase deletes
 * their secret. Two contributors could easily work together, so three are required.
 */
export const LEAST_CONTRIBUTORS = 3

/**
 * Returns the reasons why a verified transcript gives only a development key, one sentence each. The list is empty for
 * a key that may guard real funds. The transcript must already be verified.
 *
 * @param known hashes of powers of tau that independent parties published; only tests pass this argument
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

const UNKNOWN_POWERS = 'Phase 1 begins with powers of tau whose hash this program does not know.'

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

/**
 * The content of the published file with which phase 1 began; undefined if phase 1 began without such a file. The
 * file's beacon isn't counted as a contributor.
 */
function publishedStart(transcript: Transcript) {
  const { published } = startOf(transcript)
  if (published === undefined) return undefined
  const { contributions, endsInBeacon } = published
  return { contributions: contributions - (endsInBeacon ? 1 : 0), endsInBeacon }
}
