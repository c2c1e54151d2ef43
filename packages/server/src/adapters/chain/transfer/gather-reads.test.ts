import type { Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import type { RawAccount } from '../../rpc/read-accounts.ts'
import { gatherReads } from './gather-reads.ts'

/** A node that answers only when the test lets it answer. The owner of each account is the account's own address. */
function open() {
  const asked: (readonly Address[])[] = []
  const answers: ((isUp: boolean) => void)[] = []
  const read = gatherReads((addresses) => {
    asked.push(addresses)
    return new Promise((resolve, reject) => {
      answers.push((isUp) => {
        if (isUp) resolve(addresses.map((owner) => ({ owner }) as unknown as RawAccount))
        else reject(new Error('the node is down'))
      })
    })
  })
  const owners = async (...names: string[]) =>
    (await read(names as Address[])).map((account) => account?.owner)
  return { asked, answers, owners }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

it('combines the reads of waiting callers, and gives each caller its own results', async () => {
  const { asked, answers, owners } = open()
  const reads = Array.from({ length: 40 }, (_, index) =>
    owners(`wallet ${index}`, `token ${index}`),
  )
  expect(asked).toHaveLength(4)
  answers[0]?.(true)
  await turn()
  expect(asked).toHaveLength(5)
  expect(asked[4]).toHaveLength(72)
  for (const answer of answers) answer(true)
  const got = await Promise.all(reads)
  expect(got).toEqual(reads.map((_, index) => [`wallet ${index}`, `token ${index}`]))
})

it('keeps the accounts of one caller in one request of at most 100 accounts', async () => {
  const { asked, answers, owners } = open()
  const reads = Array.from({ length: 4 + 51 }, (_, index) => owners(`${index}a`, `${index}b`))
  for (let at = 0; at < 6; at += 1) {
    answers[at]?.(true)
    await turn()
  }
  await Promise.all(reads)
  expect(asked.slice(4).map(({ length }) => length)).toEqual([100, 2])
})

it('reports a failure only to the callers of the failed request', async () => {
  const { asked, answers, owners } = open()
  const first = owners('unlucky')
  const failed = expect(first).rejects.toThrow('down')
  answers[0]?.(false)
  await failed
  const second = owners('lucky')
  await turn()
  answers[1]?.(true)
  expect(await second).toEqual(['lucky'])
  expect(asked).toHaveLength(2)
})

it('refuses a caller if too many callers wait', async () => {
  const { answers, owners } = open()
  const reads = Array.from({ length: 4 + 1_000 }, (_, index) => owners(`${index}`))
  await expect(owners('one too many')).rejects.toMatchObject({ code: 'rpc_busy' })
  while (answers.length > 0) {
    for (const answer of answers.splice(0)) answer(true)
    await turn()
  }
  expect(await Promise.all(reads)).toHaveLength(reads.length)
  const later = owners('later')
  answers[0]?.(true)
  expect(await later).toEqual(['later'])
})
