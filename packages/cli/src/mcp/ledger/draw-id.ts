import { randomBytes } from 'node:crypto'

const ID_BYTES = 8
export const QUESTION_ID = /^[0-9a-f]{16}$/

/** A question's id. It can't be guessed, so no question can be answered before it is asked. */
export const drawId = (): string => randomBytes(ID_BYTES).toString('hex')
