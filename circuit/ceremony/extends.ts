import { isDeepStrictEqual } from 'node:util'
import type { Transcript } from './transcript.ts'

/**
 * Checks that nothing which an earlier transcript holds was changed or left out since: what a participant
 * asks of the final transcript, and a coordinator of one that comes back.
 *
 * @throws Error that names the first entry that differs.
 */
export function assertExtends(transcript: Transcript, earlier: Transcript): void {
  if (!isDeepStrictEqual(transcript.circuit, earlier.circuit)) {
    throw new Error('The earlier transcript is of another circuit.')
  }
  earlier.entries.forEach((entry, at) => {
    if (isDeepStrictEqual(transcript.entries[at], entry)) return
    throw new Error(`Entry ${at} of the earlier transcript was changed or left out since.`)
  })
}
