import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

const hook: { beforeRename?: (draft: string) => Promise<void> } = vi.hoisted(() => ({}))
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<{ rename: (from: string, to: string) => Promise<void> }>()
  const rename = async (from: string, to: string) => {
    await hook.beforeRename?.(from)
    await fs.rename(from, to)
  }
  return { ...fs, rename }
})
vi.resetModules()
const { fileBalance, fileTickets, ticketPath } = await import('../../node.ts')
const { writePrivateFile } = await import('./private-file.ts')
afterAll(() => vi.resetModules())

const ID = 'tr_AAAAAAAAAAAAAAAAAAAAAA'
const TICKET = `sotto2_${'x'.repeat(280)}`

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-private-'))
})
afterEach(async () => {
  delete hook.beforeRename
  await rm(folder, { recursive: true })
})

const othersMay = async (path: string) => (await stat(path)).mode & 0o077
const inParallel = (works: readonly (() => Promise<void>)[]) =>
  Promise.all(works.map((work) => work()))

describe('a saved ticket', () => {
  it('stays whole if another process crashes while it saves the same ticket', async () => {
    const tickets = fileTickets(folder)
    await tickets.save(ID, TICKET)
    // The other process opens its draft, and crashes before it writes the draft.
    hook.beforeRename = async (draft) => (await open(draft, 'w', 0o600)).close()
    await tickets.save(ID, TICKET)
    expect(await readFile(ticketPath(folder, ID), 'utf8')).toBe(`${TICKET}\n`)
  })

  it('is saved by each process that saves it at the same time', async () => {
    const saves = Array.from(
      { length: 100 },
      () => () => fileTickets(folder).save(ID, TICKET, 'one'),
    )
    await inParallel(saves)
    expect(await fileTickets(folder).read(ID)).toBe(TICKET)
    expect((await readdir(folder)).sort()).toEqual([`${ID}.ticket`, `${ID}.transfer`])
  })

  it('becomes private when it is saved again', async () => {
    const path = ticketPath(folder, ID)
    await writeFile(path, `${TICKET}\n`)
    await chmod(path, 0o644)
    await fileTickets(folder).save(ID, TICKET)
    expect(await othersMay(path)).toBe(0)
  })
})

describe('a private file', () => {
  it('is private even if a draft with other permissions was left over', async () => {
    const path = join(folder, 'main.json')
    // For example, another user of a shared folder has made the draft.
    await writeFile(`${path}.draft`, 'left over', { mode: 0o644 })
    await fileBalance(path).write('the secret', undefined)
    fileBalance(path).release()
    expect(await othersMay(path)).toBe(0)
    await chmod(path, 0o644)
    await writePrivateFile(path, 'the next secret')
    expect(await othersMay(path)).toBe(0)
  })

  it('has the whole text of one of the processes that write it at the same time', async () => {
    const path = join(folder, 'main.json')
    const texts = Array.from({ length: 50 }, (_, n) => `${n}`.repeat(1_000 + n))
    await inParallel(texts.map((text) => () => writePrivateFile(path, text)))
    expect(texts).toContain(await readFile(path, 'utf8'))
    expect(await readdir(folder)).toEqual(['main.json'])
  })

  it('keeps its text after a failed write, and the draft is removed', async () => {
    const path = join(folder, 'main.json')
    await writePrivateFile(path, 'first')
    hook.beforeRename = () => Promise.reject(new Error('the disk is full'))
    await expect(writePrivateFile(path, 'second')).rejects.toThrow('the disk is full')
    expect(await readFile(path, 'utf8')).toBe('first')
    expect(await readdir(folder)).toEqual(['main.json'])
  })

  it('is written without removing other files than drafts that a crash left over', async () => {
    const [recent, ...old] = ['b', 'a', 'z'].map((name) => `${name}.json.draft-Ab12Cd`)
    const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400
    for (const name of [recent!, ...old]) await mkdir(join(folder, name))
    for (const name of old) await writeFile(join(folder, name, 'draft'), 'a secret')
    // Files of other programs, which the user has named like drafts.
    const [file, letters, novel] = [
      'essay.draft-Sunday',
      'letters.draft-Monday',
      'novel.draft-Friday',
    ]
    await mkdir(join(folder, letters))
    await writeFile(join(folder, letters, 'to my mother'), '')
    await mkdir(join(folder, novel, 'draft'), { recursive: true })
    await writeFile(join(folder, novel, 'draft', 'chapter 1'), '')
    for (const name of ['own.draft', file]) await writeFile(join(folder, name), '')
    for (const name of [...old, 'own.draft', file, letters, novel]) {
      await utimes(join(folder, name), twoDaysAgo, twoDaysAgo)
    }
    const path = join(folder, 'main.json')
    await writePrivateFile(path, 'text')
    const kept = [recent, file, letters, 'main.json', novel, 'own.draft']
    expect((await readdir(folder)).sort()).toEqual(kept)
    expect(await readdir(join(folder, letters))).toEqual(['to my mother'])
    expect(await readdir(join(folder, novel, 'draft'))).toEqual(['chapter 1'])
  })
})
