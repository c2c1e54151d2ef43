import { amount, type Address } from '@sotto/protocol'
import type * as Fs from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Receipt } from '../payroll/receipts.ts'

const BYTES_MAX = 7
let calls = 0
// A disk that is almost full, or a network disk, may take only part of a write.
vi.mock('node:fs', async (original) => {
  const real = await original<typeof Fs>()
  const writeSync = (file: number, data: string | Uint8Array, from = 0) => {
    calls += 1
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    return real.writeSync(file, bytes, from, Math.min(BYTES_MAX, bytes.length - from))
  }
  return { ...real, writeSync }
})

// Another test file in this process may already have loaded the modules with the real disk.
vi.resetModules()
const { openReceipts } = await import('../payroll/receipts.ts')
const { keepSigned, triedNotes } = await import('../recover/signed-payments.ts')
afterAll(() => vi.resetModules())

let home: string
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'sotto-append-'))
})
afterAll(() => rm(home, { recursive: true }))

it('writes a whole receipt to a disk that takes a few bytes at a time', async () => {
  const path = join(home, 'receipts.jsonl')
  const receipts = await openReceipts(path, 'list')
  const receipt: Receipt = {
    ...{ list: 'list', payment: 1, line: 2, reference: 'Mai für Zoë', recipient: 'r' },
    ...{ amount: '1', asset: 'a', status: 'paid', balance: 'b', fee: '1', trackingId: 't' },
    ...{ signature: 's', code: null, at: 'now' },
  }
  receipts.add(receipt)
  receipts.close()
  expect(await readFile(path, 'utf8')).toBe(`${JSON.stringify(receipt)}\n`)
  expect(calls).toBeGreaterThan(1)
})

it('saves a whole signed payment to a disk that takes a few bytes at a time', async () => {
  const wanted = { payee: 'the payee' as Address, payout: amount(77n) }
  keepSigned(home, { ...wanted, nullifier: 'the nullifier' as Address })
  expect(await triedNotes(home, wanted)).toEqual(['the nullifier'])
})
