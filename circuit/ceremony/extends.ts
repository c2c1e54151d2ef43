import { isDeepStrictEqual } from 'node:util'
import type { Transcript } from './transcript.ts'

/**
 * Checks that a transcript still contains every entry of an earlier transcript, unchanged. Participants check the final
 * transcript this way, and the coordinator checks each transcript that a participant returns.
 *
 * @throws Error that names the first entry that differs.
 */
export function assertExtends(transcript: Transcript, earlier: Transcript): void {
  if (!isDeepStrictEqual(transcript.circuit, earlier.circuit)) {
    throw new Error('The earlier transcript belongs to another circuit.')
  }
  earlier.entries.forEach((entry, at) => {
    if (isDeepStrictEqual(transcript.entries[at], entry)) return
    throw new Error(`Entry ${at} of the earlier transcript has since been changed or left out.`)
  })
}
