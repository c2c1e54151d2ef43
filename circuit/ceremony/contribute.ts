import { createHash, randomBytes } from 'node:crypto'
import { powersOfTau, zKey } from 'snarkjs'
import { addStep, openPhaseOf } from './add-step.ts'
import { assertTranscriptHolds } from './check-transcript.ts'
import { type Identity, signText } from './identity.ts'
import { isName } from './parse-transcript.ts'
import { type Contribution, type Transcript, contributionsOf, statementOf } from './transcript.ts'
import { writeTranscript } from './transcript-file.ts'
import { verifyCeremony } from './verify-ceremony.ts'

/** The contributor. `entropy` is the contributor's own randomness, from dice or from keys pressed at random. */
export interface Contributor {
  name: string
  identity: Identity
  entropy: string
}

/**
 * Verifies the ceremony so far, then adds one contribution to the open phase.
 *
 * The contributor's secret comes from 128 random bytes of the system and from the contributor's own entropy. It exists
 * only in this process's memory and is never written to disk. Anyone who knew the secrets of all contributors of a
 * phase could forge proofs.
 *
 * @param now the time by the contributor's clock; the beacon that may close the phase depends on it
 * @throws Error if the verification of the ceremony so far fails, or if this contributor has already contributed to the
 *   phase.
 */
export async function contribute(
  folder: string,
  r1cs: string,
  { name, identity, entropy }: Contributor,
  now: Date,
): Promise<Contribution> {
  if (!isName(name)) {
    throw new Error('A name has up to 63 letters, digits, spaces and the characters . _ @ -')
  }
  const transcript = await verifyCeremony(folder, r1cs, 'newest')
  const phase = openPhaseOf(transcript)
  const { publicKey } = identity
  const isKnown = (other: Contribution) =>
    other.name.toLowerCase() === name.toLowerCase() || other.publicKey === publicKey
  if (contributionsOf(transcript, phase).some(isKnown)) {
    throw new Error(
      `${name} has already contributed to phase ${phase}, under this name or with this key.`,
    )
  }
  const secret = mixEntropy(entropy)
  const made = await addStep(folder, transcript, phase, (from, to) =>
    (phase === 1 ? powersOfTau : zKey).contribute(from, to, name, secret),
  )
  const at = `${now.toISOString().slice(0, 19)}Z`
  const entry = { kind: 'contribution', ...made, name, publicKey, at, signature: '' } as const
  return await signAndAppend(folder, transcript, entry, identity)
}

async function signAndAppend(
  folder: string,
  transcript: Transcript,
  entry: Contribution,
  identity: Identity,
): Promise<Contribution> {
  const place = transcript.entries.length
  const unsigned = { ...transcript, entries: [...transcript.entries, entry] }
  const signed = { ...entry, signature: signText(identity, statementOf(unsigned, place)) }
  const extended = { ...transcript, entries: [...transcript.entries, signed] }
  // The transcript is checked before it is written. A wrong clock, or a second name for the same key, would make it
  // invalid for everyone.
  assertTranscriptHolds(extended)
  await writeTranscript(folder, extended)
  return signed
}

/** The entropy for snarkjs. In addition, snarkjs itself draws 64 bytes from the system's generator. */
function mixEntropy(own: string): string {
  return createHash('sha512').update(randomBytes(64)).update(own).digest('hex')
}
