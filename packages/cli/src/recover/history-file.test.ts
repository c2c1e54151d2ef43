import type { Address } from '@sotto/protocol'
import type { HistoryPage } from '@sotto/recovery'
import type { Signature } from '@solana/kit'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openHistoryFile, storeAt } from './history-file.ts'

const pageOf = (name: string): HistoryPage => ({
  newest: `${name}9` as Signature,
  oldest: `${name}1` as Signature,
  appending: [{ signature: `${name}5` as Signature, slot: 7n, leaves: [2n ** 250n, 0n] }],
})
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(pageOf)

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-history-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the file of the chain history that was read', () => {
  it('accepts newer and older pages, and keeps them newest first', async () => {
    const store = storeAt(join(folder, 'pages'))
    expect(await store.load()).toEqual([])
    await store.add('older', [c!])
    await store.add('older', [d!])
    await store.add('newer', [a!, b!])
    await store.add('newer', [])
    expect(await storeAt(join(folder, 'pages')).load()).toEqual([a, b, c, d])
    await store.forget()
    expect(await store.load()).toEqual([])
  })

  it('is still readable after a line that was cut off', async () => {
    const path = join(folder, 'pages')
    await storeAt(path).add('older', [a!])
    await appendFile(path, '{"side":"older","pages":[{"new')
    expect(await storeAt(path).load()).toEqual([a])
    await storeAt(path).add('older', [b!])
    expect(await storeAt(path).load()).toEqual([a, b])
    expect((await readFile(path, 'utf8')).split('\n')).toHaveLength(3)
  })

  it('is used by one process at a time', async () => {
    const program = 'Sotto11111111111111111111111111111111111111' as Address
    const first = await openHistoryFile(folder, program)
    const second = await openHistoryFile(folder, program)
    expect(first.store).toBeDefined()
    expect(second.store).toBeUndefined()
    first.release()
    const third = await openHistoryFile(folder, program)
    expect(third.store).toBeDefined()
    third.release()
  })
})
