import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nowMs } from '../clock.ts'
import type { CliContext } from '../context.ts'
import { QuestionFiles } from '../mcp/ledger/question-files.ts'
import { openOutput } from '../output/output.ts'
import { runMcpApprove } from './mcp.ts'

const ID = '0123456789abcdef'
const QUESTION = { balance: 'agent', to: 'a wallet', amount: '1.5', most: '1.6', asset: 'SOL' }

let home: string
let questions: QuestionFiles
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'approve-'))
  questions = new QuestionFiles(home)
})
afterAll(() => rm(home, { recursive: true }))

/**
 * A context with a person at a terminal who gives this answer. Undefined means that there is no terminal. `meanwhile`
 * runs while the person decides.
 */
function contextOf(answer: boolean | undefined, meanwhile = async () => undefined as unknown) {
  const stream = { write: () => true, isTTY: false }
  const notes: string[] = []
  const output = {
    ...openOutput({}, { stdout: stream, stderr: stream, stdin: {} }),
    isInteractive: answer !== undefined,
    note: (text: string) => void notes.push(text),
    ask: async () => {
      await meanwhile()
      return answer ?? false
    },
  }
  const context = { output, settings: { home }, signal: new AbortController().signal }
  return { context: context as unknown as CliContext, notes }
}

const ask = (expiresAtMs: number) => questions.ask(ID, { ...QUESTION, expiresAtMs })

it.each([
  [true, 'yes', 0],
  [false, 'no', 8],
] as const)(
  'shows the question to a person, and turns %s into the answer %s',
  async (is, text, code) => {
    await ask(nowMs() + 60_000)
    const { context, notes } = contextOf(is)
    expect(await runMcpApprove(context, ID)).toBe(code)
    expect(await questions.answerTo(ID)).toBe(text)
    for (const shown of ['1.5 SOL', 'a wallet', '1.6']) expect(notes.join('\n')).toContain(shown)
    await questions.remove(ID)
    expect(await questions.answerTo(ID)).toBeUndefined()
  },
)

it('gives no answer without a terminal', async () => {
  await ask(nowMs() + 60_000)
  await expect(runMcpApprove(contextOf(undefined).context, ID)).rejects.toMatchObject({
    code: 'NOBODY_TO_ASK',
  })
  expect(await questions.answerTo(ID)).toBeUndefined()
})

it.each(['../../api-key', 'ffffffffffffffff', ''])(
  'refuses %j, which is not the id of a question',
  async (id) => {
    await expect(runMcpApprove(contextOf(true).context, id)).rejects.toMatchObject({
      code: 'QUESTION_UNKNOWN',
    })
  },
)

it('gives no answer to an expired question', async () => {
  await ask(nowMs())
  await expect(runMcpApprove(contextOf(true).context, ID)).rejects.toMatchObject({
    code: 'QUESTION_UNKNOWN',
  })
})

it.each([
  ['ended', () => ask(nowMs())],
  ['was replaced', () => questions.remove(ID)],
])('confirms nothing if the question %s while the person decided', async (_what, meanwhile) => {
  await ask(nowMs() + 60_000)
  await expect(runMcpApprove(contextOf(true, meanwhile).context, ID)).rejects.toMatchObject({
    code: 'QUESTION_UNKNOWN',
  })
  expect(await questions.answerTo(ID)).toBeUndefined()
})

it('says that a refusal does not count if the question was replaced while the person decided', async () => {
  await ask(nowMs() + 60_000)
  const { context } = contextOf(false, () => questions.remove(ID))
  await expect(runMcpApprove(context, ID)).rejects.toMatchObject({ code: 'QUESTION_UNKNOWN' })
  expect(await questions.answerTo(ID)).toBeUndefined()
})

it('accepts a refusal of a question that ended while the person decided', async () => {
  await ask(nowMs() + 60_000)
  expect(await runMcpApprove(contextOf(false, () => ask(nowMs())).context, ID)).toBe(8)
  expect(await questions.answerTo(ID)).toBe('no')
  await questions.remove(ID)
})
