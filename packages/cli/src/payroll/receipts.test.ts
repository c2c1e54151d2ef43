import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { assertUnchanged, readRecord, saveRecord, type ListRecord } from './list-record.ts'
import type { ListLine } from './read-list.ts'
import { openReceipts, type Receipt } from './receipts.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-receipts-'))
})
afterAll(() => rm(folder, { recursive: true }))

const receipt = (payment: number, status: Receipt['status'] = 'paid'): Receipt => ({
  ...{ list: 'list', payment, line: payment + 7, reference: '', recipient: 'r', amount: '1' },
  ...{ asset: 'a', status },
  ...{ balance: 'b', fee: '1', trackingId: 't', signature: 's', code: null, at: 'now' },
})

it('receipts are only added, and a receipt that a crash cut off is written again', async () => {
  const path = join(folder, 'receipts.jsonl')
  const first = await openReceipts(path, 'list')
  first.add(receipt(2))
  first.add(receipt(3, 'refused'))
  first.close()
  const before = await readFile(path, 'utf8')
  const cut = before + JSON.stringify(receipt(4)).slice(0, 20)
  await writeFile(path, cut)
  const second = await openReceipts(path, 'list')
  expect([...second.paid]).toEqual([2])
  second.add(receipt(4))
  second.close()
  expect((await readFile(path, 'utf8')).startsWith(cut)).toBe(true)
  const third = await openReceipts(path, 'list')
  third.close()
  expect([...third.paid]).toEqual([2, 4])
  expect((await stat(path)).mode & 0o777).toBe(0o600)
})

it('the error for a receipt that cannot be written names the status of its line', async () => {
  const receipts = await openReceipts(join(folder, 'closed.jsonl'), 'list')
  receipts.close()
  expect(() => receipts.add(receipt(2))).toThrow(
    /^line 9 was paid, but its receipt could not be written to /,
  )
  expect([...receipts.paid]).toEqual([])
})

it('a receipt of another list in the same file does not count as a receipt of this one', async () => {
  const path = join(folder, 'shared.jsonl')
  const first = await openReceipts(path, 'list')
  first.add(receipt(1))
  first.close()
  const other = await openReceipts(path, 'other')
  expect([...other.paid]).toEqual([])
  other.close()
})

it('a list is refused if another list has its record, because the ids differ only in case', async () => {
  const home = join(folder, 'home')
  await saveRecord(home, 'November', { ...RECORD, id: 'November' })
  expect(await readRecord(home, 'November')).toMatchObject({ id: 'November' })
  // On a disk that ignores case, both names open the same file.
  await copyFile(join(home, 'payroll', 'November.json'), join(home, 'payroll', 'november.json'))
  const read = readRecord(home, 'november')
  await expect(read).rejects.toMatchObject({
    code: 'LIST_ID_TAKEN',
    next: expect.stringContaining('--id November') as string,
  })
})

const line = (number: number, recipient: string, amount: bigint) =>
  ({ line: number, recipient, amount, reference: '' }) as ListLine
const LINES = [line(2, 'A', 1n), line(3, 'B', 2n)]
const RECORD: ListRecord = {
  version: 1,
  ...{ assetId: 'SOL', from: ['x', 'x'] },
  lines: LINES.map(({ recipient, amount }) => ({ recipient, amount: `${amount}` })),
}

it('the blank lines of a list may change, but not its payments', () => {
  expect(() => assertUnchanged(RECORD, LINES, 'SOL')).not.toThrow()
  const moved = [line(4, 'A', 1n), line(9, 'B', 2n)]
  expect(() => assertUnchanged(RECORD, moved, 'SOL')).not.toThrow()
})

it.each([
  ['another recipient', [LINES[0]!, line(3, 'C', 2n)], 'SOL', 'line 3'],
  ['another amount', [line(2, 'A', 3n), LINES[1]!], 'SOL', 'line 2'],
  ['another order', [line(2, 'B', 2n), line(3, 'A', 1n)], 'SOL', 'line 2'],
  ['a line less', [LINES[0]!], 'SOL', 'had 2 payments, and this file has 1'],
  ['a line more', [...LINES, line(4, 'C', 1n)], 'SOL', 'had 2 payments, and this file has 3'],
  ['another asset', LINES, 'USDC', 'another asset'],
])('a list with %s is refused under the same id', (_name, lines, assetId, message) => {
  expect(() => assertUnchanged(RECORD, lines, assetId)).toThrow(message)
})
