import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseTranscript } from './parse-transcript.ts'
import { type Transcript, renderTranscript } from './transcript.ts'

/** The transcript's name in a ceremony's folder. */
export const TRANSCRIPT_FILE = 'transcript.json'

/** The transcript's name beside the key that came from it. */
export const CEREMONY_FILE = 'ceremony.json'

/** Reads a transcript. @throws Error if the file isn't one, or not as this program writes it. */
export async function readTranscript(path: string): Promise<Transcript> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new Error(`The transcript cannot be read: ${path}.`, { cause })
  })
  const transcript = parseTranscript(text)
  // One form only: what a reader sees is what was signed, with nothing hidden in a repeated member.
  if (renderTranscript(transcript) !== text) {
    throw new Error('The transcript is not in the form in which this program writes it.')
  }
  return transcript
}

/** Reads the transcript of a ceremony's folder. */
export const readTranscriptIn = (folder: string): Promise<Transcript> =>
  readTranscript(join(folder, TRANSCRIPT_FILE))

/** Writes a transcript into a folder, whole or not at all. @throws Error if it couldn't be read again. */
export async function writeTranscript(folder: string, transcript: Transcript): Promise<void> {
  const path = join(folder, TRANSCRIPT_FILE)
  const text = renderTranscript(transcript)
  parseTranscript(text)
  await writeFile(`${path}.unfinished`, text)
  await rename(`${path}.unfinished`, path)
}
