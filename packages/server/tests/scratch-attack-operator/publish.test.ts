import { mkdtemp, readFile, rm, writeFile, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { publishLeaves } from '../../src/operator/rebuild/publish-leaves.ts'

let folder = ''
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'sotto-leaves-'))))
afterEach(() => rm(folder, { recursive: true }))
const leafOf = (index: number) => Buffer.alloc(32, index % 250)
const publish = async (count: number) => {
  const database = {
    query: async (_: string, [from, size]: [number, number]) =>
      Array.from({ length: Math.max(0, Math.min(size, count - from)) }, (_, place) => ({
        leaf_index: from + place,
        leaf: leafOf(from + place),
      })),
  } as never
  await publishLeaves({ database, out: () => undefined }, folder)
}

it('two runs at the same time both succeed', async () => {
  const ends = await Promise.allSettled([publish(20_000), publish(20_000)])
  expect(ends.map((e) => (e.status === 'rejected' ? String(e.reason) : 'ok'))).toEqual(['ok', 'ok'])
})

it('a reader never sees an incomplete page while two runs write', async () => {
  await publish(1_024 * 3 + 10)
  const torn: string[] = []
  let stop = false
  const reader = (async () => {
    while (!stop) {
      for (const name of (await readdir(folder)).filter((n) => n.endsWith('.json'))) {
        const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
        if (text === undefined) continue
        try {
          JSON.parse(text)
        } catch {
          torn.push(`${name}: ${text.length} bytes`)
        }
      }
    }
  })()
  for (let round = 1; round < 60; round += 1) {
    await Promise.allSettled([1, 2, 3].map((n) => publish(1_024 * 3 + 10 + round * 12 + n)))
  }
  stop = true
  await reader
  expect(torn).toEqual([])
})

it('a run after a power cut that left an empty page writes the page again', async () => {
  await publish(1_500)
  await writeFile(join(folder, '1024.json'), '')
  await publish(1_600)
})
