import { writePrivateFile } from '@sotto/sdk/node'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere } from '../../settings/owned-file.ts'
import { DRAWN_ID } from '../../draw-id.ts'

/** A question in the format in which a person reads it at the terminal. */
const AskedQuestion = z.strictObject({
  balance: z.string(),
  to: z.string(),
  /** The recipient's amount, and the maximum that leaves the balance, both in whole coins. */
  amount: z.string(),
  most: z.string(),
  asset: z.string(),
  expiresAtMs: z.int(),
})
export type AskedQuestion = z.infer<typeof AskedQuestion>

/**
 * Questions that a person answers in a terminal. The server writes each question to a file, and never reads this file
 * again. The person's command shows the question, and writes the answer to a second file. The server's own ledger
 * decides what an answer allows.
 */
export class QuestionFiles {
  readonly #folder: string

  constructor(home: string) {
    this.#folder = join(home, 'mcp', 'questions')
  }

  async ask(id: string, question: AskedQuestion): Promise<void> {
    await writePrivateFile(this.#path(id, 'json'), `${JSON.stringify(question)}\n`)
  }

  /** The question; undefined if there is no question with this id. */
  async read(id: string): Promise<AskedQuestion | undefined> {
    if (!DRAWN_ID.test(id)) return undefined
    const text = await readIfThere(this.#path(id, 'json'))
    return text === undefined ? undefined : AskedQuestion.parse(JSON.parse(text))
  }

  async answer(id: string, answer: 'yes' | 'no'): Promise<void> {
    await writePrivateFile(this.#path(id, 'answer'), `${answer}\n`)
  }

  /** The person's answer; undefined if there is no answer yet. */
  async answerTo(id: string): Promise<'yes' | 'no' | undefined> {
    const text = (await readIfThere(this.#path(id, 'answer')))?.trim()
    return text === 'yes' || text === 'no' ? text : undefined
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id, 'json'), { force: true })
    await rm(this.#path(id, 'answer'), { force: true })
  }

  #path(id: string, kind: 'json' | 'answer'): string {
    return join(this.#folder, `${id}.${kind}`)
  }
}
