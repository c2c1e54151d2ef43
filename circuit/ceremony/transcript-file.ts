import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseTranscript } from './parse-transcript.ts'
import { type Transcript, renderTranscript } from './transcript.ts'

/** The transcript's name in a ceremony's folder. */
export const TRANSCRIPT_FILE = 'transcript.json'

/** Name of the transcript's copy next to the key that the ceremony made. */
export const CEREMONY_FILE = 'ceremony.json'

/** Reads a transcript. @throws Error if the file isn't a transcript in exactly the form that this program writes. */
export async function readTranscript(path: string): Promise<Transcript> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`The transcript cannot be read: ${path}.`, { cause })
  })
  const transcript = parseTranscript(text)
  // Only one form is accepted. So the file that a person reads has no members that the program ignores, for example
  // repeated ones.
  if (renderTranscript(transcript) !== text) {
    throw new Error('The transcript is not in the form in which this program writes it.')
  }
  return transcript
}

/** Reads the transcript in a ceremony's folder. */
export const readTranscriptIn = (folder: string): Promise<Transcript> =>
  readTranscript(join(folder, TRANSCRIPT_FILE))

/** Writes a transcript into a folder atomically. @throws Error if `readTranscript` would refuse the transcript. */
export async function writeTranscript(folder: string, transcript: Transcript): Promise<void> {
  const path = join(folder, TRANSCRIPT_FILE)
  const text = renderTranscript(transcript)
  parseTranscript(text)
  await writeFile(`${path}.unfinished`, text)
  await rename(`${path}.unfinished`, path)
}
