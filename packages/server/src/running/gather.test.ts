import { expect, it } from 'vitest'
import { gather } from './gather.ts'

/** Records questions in the order in which they were asked. The test answers them. */
function asking() {
  const asked: { keys: readonly number[]; answer: (text: string) => void; fail: () => void }[] = []
  const ask = (keys: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      const answer = (text: string) => resolve(keys.map((key) => `${text} ${key}`))
      asked.push({ keys, answer, fail: () => reject(new Error('lost')) })
    })
  return { asked, read: gather(ask, 3) }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('callers share a question if four questions are in progress', async () => {
  const { asked, read } = asking()
  const answers = [1, 2, 3, 4, 5, 6, 7, 8].map(read)
  expect(asked.map(({ keys }) => keys)).toEqual([[1], [2], [3], [4]])
  asked[2]?.answer('own')
  expect(await answers[2]).toBe('own 3')
  await turn()
  // At most three keys share a question.
  expect(asked[4]?.keys).toEqual([5, 6, 7])
  asked[4]?.answer('shared')
  expect(await Promise.all(answers.slice(4, 7))).toEqual(['shared 5', 'shared 6', 'shared 7'])
  await turn()
  expect(asked[5]?.keys).toEqual([8])
})

it('answers a caller only from a question that was asked after the caller’s request', async () => {
  const { asked, read } = asking()
  const first = read(1)
  const second = read(1)
  asked[0]?.answer('before')
  asked[1]?.answer('after')
  expect([await first, await second]).toEqual(['before 1', 'after 1'])
  const third = read(1)
  await turn()
  expect(asked).toHaveLength(3)
  asked[2]?.answer('last')
  expect(await third).toBe('last 1')
})

it('a question that hangs or fails affects only the callers that share it', async () => {
  const { asked, read } = asking()
  const answers = [1, 2, 3, 4, 5].map(read)
  asked[1]?.fail()
  await expect(answers[1]).rejects.toThrow('lost')
  await turn()
  expect(asked[4]?.keys).toEqual([5])
  asked[4]?.answer('later')
  expect(await answers[4]).toBe('later 5')
  await turn()
  const next = read(6)
  asked[5]?.answer('then')
  expect(await next).toBe('then 6')
})

it('fails for every caller of a question if answers are missing', async () => {
  const read = gather(async () => [], 3)
  await expect(read(1)).rejects.toThrow('too few answers')
})
