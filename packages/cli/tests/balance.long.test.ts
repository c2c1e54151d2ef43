import { NATIVE_MINT, WAIT_SPREAD_SECONDS, type Address } from '@sotto/protocol'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLocalPartner, type LocalPartner } from './local-partner.ts'
import { runSotto } from './run-sotto.ts'
import { HUNG_MS } from '../../../testing/patience/hung.ts'

let partner: LocalPartner
beforeAll(async () => {
  partner = await openLocalPartner()
})
afterAll(() => partner?.close())

const VALUE = 2_000_000_000n
const FAST = ['--interval', '1', '--yes']
const PAID = [...FAST, '--max-fee', '0.1']
/** Time limit. It is enough for nine payments with proofs on a busy machine. */
const LIMIT_MS = 4 * HUNG_MS

interface Shown {
  readonly balance: string
  readonly status: string
  readonly left: string
  readonly payout: string
  readonly fee: string
  readonly kept: string
  readonly file: string
  readonly ticket: string
}

const only = <Result = Shown>({ results }: { readonly results: readonly object[] }): Result => {
  expect(results).toHaveLength(1)
  return results[0] as Result
}
const errorOf = ({ stderr }: { readonly stderr: string }) =>
  (JSON.parse(stderr) as { error: object }).error
const holds = (address: Address) => partner.chain.balance(address, NATIVE_MINT)
const modeOf = async (file: string) => (await stat(file)).mode & 0o777

/** Runs a command, and kills it as soon as it prints this text. */
async function killedAt(text: string, ...args: string[]): Promise<void> {
  let isKilled = false
  const ended = await partner.sottoWatched([...args, '--table'], (stderr, kill) => {
    if (isKilled || !stderr.includes(text)) return
    isKilled = true
    kill('SIGKILL')
  })
  expect({ isKilled, ...ended }).toMatchObject({ isKilled: true, code: null })
}

describe('commands that have no balance or list to work with', () => {
  it.each([
    [['balance', 'show', 'none'], 2, 'BALANCE_UNKNOWN'],
    [['balance', 'open', 'none'], 2, 'ARGUMENT_MISSING'],
    [['balance', 'open', '../none', '1', 'SOL', '--yes'], 2, 'NAME_INVALID'],
    [['balance', 'open', 'none', '1', 'SOL'], 2, 'NOBODY_TO_ASK'],
    [['payroll', 'pay', 'none.csv', ...PAID], 2, 'LIST_MISSING'],
    [['balance', 'close', 'none', '--yes'], 2, 'BALANCE_UNKNOWN'],
  ])('%j end with code %i and %s', async (args, code, name) => {
    const ended = await partner.sotto(...args)
    expect({ ...ended, error: errorOf(ended) }).toMatchObject({ code, error: { code: name } })
    expect(only<{ balances: [] }>(await partner.sotto('balance', 'list')).balances).toEqual([])
  })
})

it(
  'pays exactly, to the lamport, although commands are killed',
  async () => {
    const { sotto, wallet, home } = partner
    const before = await holds(wallet)
    await killedAt('submitting the deposit', 'balance', 'open', 'salaries', '2', 'SOL', ...FAST)
    const opened = only(await sotto('balance', 'open', 'salaries', '--interval', '1'))
    expect(opened).toMatchObject({ status: 'open', value: `${VALUE}`, autoReturn: true })
    expect(await modeOf(opened.file)).toBe(0o600)
    expect(await modeOf(opened.ticket)).toBe(0o600)
    // The limit is an upper bound for the rent of the Order account and the transaction's fee. A second deposit would
    // cost two SOL more.
    const paidIn = before - (await holds(wallet))
    expect(paidIn).toBeGreaterThan(VALUE)
    expect(paidIn).toBeLessThan(VALUE + 3_000_000n)
    const twice = await sotto('balance', 'open', 'salaries', '2', 'SOL', ...FAST)
    expect(errorOf(twice)).toMatchObject({ code: 'BALANCE_EXISTS' })

    // With --yes, the payment is made right after the top-up, and the result says that its time reveals the top-up.
    const first = await partner.newWallet()
    const sent = only(await sotto('balance', 'send', 'salaries', '0.1', first, ...FAST))
    expect(sent).toMatchObject({ payout: '100000000', soonAfterTopUp: true, paidBefore: false })
    expect(await holds(first)).toBe(100_000_000n)

    // With --wait, the payment is made at a moment, by the chain's clock, that doesn't reveal the top-up.
    const second = await partner.newWallet()
    let early: Promise<bigint> | undefined
    const args = ['balance', 'send', 'salaries', '0.05', second, '--wait', '--table', ...FAST]
    const waited = await partner.sottoWatched(args, (stderr) => {
      if (!stderr.includes('waiting for a moment')) return
      early ??= holds(second).then(async (held) => {
        await partner.advance(4_200n + BigInt(WAIT_SPREAD_SECONDS))
        return held
      })
    })
    expect(waited.code).toBe(0)
    expect(await early).toBe(0n)
    expect(await holds(second)).toBe(50_000_000n)

    const payees = await Promise.all([0, 1, 2, 3].map(() => partner.newWallet()))
    const amounts = ['0.1', '0.123456789', '0.05', '0.1'] as const
    const units = [100_000_000n, 123_456_789n, 50_000_000n, 100_000_000n]
    const rows = payees.map((payee, index) => `${payee},${amounts[index]},no ${index}`)
    const file = join(home, 'november.csv')
    await writeFile(file, ['recipient,amount,reference', ...rows].join('\n'))
    const checked = only<Record<string, unknown>>(await sotto('payroll', 'check', file))
    expect(checked).toMatchObject({ lines: 4, paidBefore: 0, amount: '373456789' })
    expect(await Promise.all(payees.map(holds))).toEqual([0n, 0n, 0n, 0n])
    await killedAt('paid 1 of 4', 'payroll', 'pay', file, ...PAID)
    const afterKill = await sotto('payroll', 'pay', file, '--interval', '1')
    expect(errorOf(afterKill)).toMatchObject({ code: 'NOBODY_TO_ASK' })
    const paid = only<{ paidBefore: number; paidNow: number; left: string; receipts: string }>(
      await sotto('payroll', 'pay', file, ...PAID),
    )
    expect(paid.paidBefore + paid.paidNow).toBe(4)
    expect(paid.paidBefore).toBeGreaterThan(0)
    expect(await Promise.all(payees.map(holds))).toEqual(units)
    const receipts = (await readFile(paid.receipts, 'utf8'))
      .trim()
      .split('\n')
      .map((row) => JSON.parse(row) as Record<string, string>)
    expect(receipts).toMatchObject(
      payees.map((recipient, index) => ({
        ...{ payment: index + 1, line: index + 2, reference: `no ${index}`, recipient },
        ...{ amount: amounts[index], status: 'paid', balance: 'salaries' },
      })),
    )
    expect(await modeOf(paid.receipts)).toBe(0o600)
    const nothing = only<Record<string, unknown>>(await sotto('payroll', 'pay', file, ...PAID))
    expect(nothing).toMatchObject({ paidBefore: 4, paidNow: 0, left: paid.left })

    // The first ticket is enough to restore the balance, under another name and without the service.
    const { SOTTO_API_KEY: _key, ...keyless } = partner.env
    const restored = await runSotto(['balance', 'restore', 'copy', opened.ticket], keyless)
    expect(only(restored)).toMatchObject({ status: 'open', value: paid.left })
    const shown = only<{ payments: object[] }>(await sotto('balance', 'show', 'salaries'))
    expect(shown).toMatchObject({ status: 'open', left: paid.left, live: null, problem: null })
    expect(shown.payments).toHaveLength(6)

    const wealth = await holds(wallet)
    const closed = only(await sotto('balance', 'close', 'salaries', ...FAST))
    const kept = BigInt(closed.kept)
    expect(kept * 1_000n).toBeLessThanOrEqual(VALUE)
    expect(BigInt(closed.payout) + BigInt(closed.fee) + kept).toBe(BigInt(paid.left))
    expect((await holds(wallet)) - wealth).toBe(BigInt(closed.payout))
    const { balances } = only<{ balances: Shown[] }>(await sotto('balance', 'list'))
    expect(balances).toMatchObject([
      { balance: 'copy', status: 'open', left: closed.kept },
      { balance: 'salaries', status: 'closed', left: closed.kept },
    ])
    // Every lamport of the top-up was paid to a payee, was returned to the wallet, or was a fee that was shown.
    const lamports = (coins: string) => {
      const [whole = '0', part = ''] = coins.split('.')
      return BigInt(whole + part.padEnd(9, '0'))
    }
    const { payments } = only<{
      payments: { paid: { payout: string; fee: string } }[]
    }>(await sotto('balance', 'show', 'salaries'))
    const spent = payments.reduce(
      (sum, { paid: { payout, fee } }) => sum + BigInt(payout) + BigInt(fee),
      0n,
    )
    expect(spent).toBe(VALUE - kept)
    const listFees = receipts.reduce((sum, { fee }) => sum + lamports(fee!), 0n)
    const fees = payments.slice(2, 6).reduce((sum, one) => sum + BigInt(one.paid.fee), 0n)
    expect(listFees).toBe(fees)
  },
  LIMIT_MS,
)
