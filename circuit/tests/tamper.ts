import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashFile } from '../manifest.ts'
import { type Identity, signText } from '../ceremony/identity.ts'
import {
  type Contribution,
  type Transcript,
  renderTranscript,
  statementOf,
} from '../ceremony/transcript.ts'
import { handOver } from './rehearse.ts'

/** Copies a ceremony, changes the copy's transcript, and writes the transcript in the correct form. */
export async function tamper(
  folder: string,
  change: (transcript: Transcript) => Transcript,
): Promise<string> {
  const copy = await handOver(folder)
  const path = join(copy, 'transcript.json')
  const transcript = JSON.parse(await readFile(path, 'utf8')) as Transcript
  await writeFile(path, renderTranscript(change(transcript)))
  return copy
}

/** Cuts a transcript after its first entries. The result is the transcript as it was at an earlier time. */
export const cutAfter =
  (count: number) =>
  (transcript: Transcript): Transcript => ({
    ...transcript,
    entries: transcript.entries.slice(0, count),
  })

/** A dishonest participant's claims about a file that they put into the folder. */
export type Claim = Pick<Contribution, 'phase' | 'file' | 'hash' | 'name' | 'at'>

/** Appends a claim as a dishonest participant would: with the file's real SHA-256 and a valid signature. */
export async function appendSigned(
  folder: string,
  claim: Claim,
  identity: Identity,
): Promise<void> {
  const path = join(folder, 'transcript.json')
  const transcript = JSON.parse(await readFile(path, 'utf8')) as Transcript
  const sha256 = await hashFile(join(folder, claim.file))
  const { phase, file, hash, name, at } = claim
  const { publicKey } = identity
  const entry: Contribution = {
    ...{ kind: 'contribution', phase, file, sha256, hash, name, publicKey, at },
    signature: '',
  }
  const claimed = { ...transcript, entries: [...transcript.entries, entry] }
  entry.signature = signText(identity, statementOf(claimed, transcript.entries.length))
  await writeFile(path, renderTranscript(claimed))
}
