import { randomBytes } from 'node:crypto'

const ID_BYTES = 8
export const QUESTION_ID = /^[0-9a-f]{16}$/

/** A question's id, which can't be guessed. So an answer can't be given before its question. */
export const drawId = (): string => randomBytes(ID_BYTES).toString('hex')
