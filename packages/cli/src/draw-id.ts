import { randomBytes } from 'node:crypto'

const ID_BYTES = 8
export const DRAWN_ID = /^[0-9a-f]{16}$/

/**
 * Draws the id of a question, of an attempt or of a run. The id can't be guessed, so that no one can answer a question
 * before it is asked.
 */
export const drawId = (): string => randomBytes(ID_BYTES).toString('hex')
