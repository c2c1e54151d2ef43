import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDecimal, showDecimal, showRate } from '../src/decimal.ts'
import { amount, U64_MAX } from '../src/units.ts'

const units = fc.bigInt({ min: 0n, max: U64_MAX })
const decimals = fc.integer({ min: 0, max: 18 })
const GROUPS = [' ', '\u00a0', '\u2009', '\u202f', "'", '’', ',', '.']
/** Every common style of writing numbers: each combination of a mark that groups thousands and a decimal mark. */
const STYLES = ['', ...GROUPS].flatMap((group) =>
  ['.', ','].filter((mark) => mark !== group).map((mark) => ({ group, mark })),
)
/** Matches a number whose only mark is a point. `readDecimal` always reads this point as the decimal mark. */
const POINT_ALONE = /^\d+\.\d*$/
const escaped = (text: string) => text.replaceAll('.', '\\.')

/** All readings of a text in any style, as digits with a point. This oracle shares no rule with the tested code. */
function readingsOf(text: string): Set<string> {
  const readings = STYLES.flatMap(({ group, mark }) => {
    const whole = group === '' ? '(0|[1-9]\\d*)' : `([1-9]\\d{0,2}(?:${escaped(group)}\\d{3})+)`
    const [, digits, fraction = ''] =
      new RegExp(`^${whole}(?:${escaped(mark)}(\\d*))?$`).exec(text) ?? []
    if (digits === undefined) return []
    return [`${digits.replaceAll(group, '')}.${fraction.replace(/0+$/, '')}`]
  })
  return new Set(readings)
}

const write = (base: bigint, places: number, { group, mark }: (typeof STYLES)[number]): string => {
  const [whole = '', fraction] = showDecimal(base, places).split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, group)
  return fraction === undefined ? grouped : `${grouped}${mark}${fraction}`
}

describe('an amount as people write it', () => {
  it('is the same to the base unit after it is shown and read again', () => {
    fc.assert(
      fc.property(units, decimals, (amount, places) => {
        expect(readDecimal(showDecimal(amount, places), places)).toEqual({ kind: 'amount', amount })
      }),
    )
  })

  it('is read as it was meant, or refused', () => {
    const style = fc.constantFrom(...STYLES)
    const few = fc.oneof(units, fc.bigInt({ min: 0n, max: 9_999_999n }))
    fc.assert(
      fc.property(few, fc.integer({ min: 0, max: 9 }), style, (amount, places, used) => {
        const text = write(amount, places, used)
        const read = readDecimal(text, places)
        fc.pre(used.group !== '.' || !POINT_ALONE.test(text))
        if (read.kind === 'amount') expect(read.amount, text).toBe(amount)
        else {
          const readings = read.kind === 'ambiguous' ? read.readings : []
          const meant = readings.map((one) => readDecimal(one, places))
          expect(meant, `${text} is ${read.kind}`).toContainEqual({ kind: 'amount', amount })
        }
      }),
      { numRuns: 5_000 },
    )
  })

  it('is accepted only if every style reads the same number', () => {
    const piece = fc.constantFrom(...'0123456789', '000', '500', ...GROUPS, '-', 'e', '+')
    const text = fc.array(piece, { minLength: 1, maxLength: 9 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, (written) => {
        const read = readDecimal(written, 18)
        if (read.kind !== 'amount') return
        const given = written.trim()
        const [point] = POINT_ALONE.test(given) ? [given.replace(/0+$/, '')] : []
        const readings = point === undefined ? [...readingsOf(given)] : [point]
        expect(readings, written).toHaveLength(1)
        const [whole = '', fraction = ''] = (readings[0] ?? '').split('.')
        expect(`${read.amount}`, written).toBe(`${BigInt(whole + fraction.padEnd(18, '0'))}`)
      }),
      { numRuns: 20_000 },
    )
  })

  it.each([
    ['1,500.25', '1500.25'],
    ['1.500,25', '1500.25'],
    ['1,500,000', '1500000'],
    ['1.500.000', '1500000'],
    ['1 500,5', '1500.5'],
    ["1'500.5", '1500.5'],
    ['1,500.', '1500'],
    ['1,5', '1.5'],
    ['0,500', '0.5'],
    ['1.500', '1.5'],
    [' 7 ', '7'],
  ])('%s is read as %s', (text, meant) => {
    expect(readDecimal(text, 9)).toEqual(readDecimal(meant, 9))
    expect(readDecimal(text, 9).kind).toBe('amount')
  })

  it('is refused with both readings if it is 1,500', () => {
    expect(readDecimal('1,500', 9)).toEqual({ kind: 'ambiguous', readings: ['1500', '1.500'] })
    expect(readDecimal('12345,678', 9)).toMatchObject({ readings: ['12345678', '12345.678'] })
  })

  it.each([
    ...['1,50,000', '1.5,000', '1,500 000', '15,00,0', '1,,5', '1..5', '1 5', '1_000'],
    ...['-1', '+1', '1e9', '.5', ',5', '01', '00.5', '5x', '5-', '1,500 USDC', '٣', '0x10', '∞'],
  ])('is refused, without a guess, if it is %s', (text) => {
    expect(readDecimal(text, 9)).toEqual({ kind: 'malformed' })
  })

  it('is refused if it exceeds u64 or has more decimals than the asset', () => {
    expect(readDecimal('1.0000001', 6)).toEqual({ kind: 'too_precise', digits: 7 })
    expect(readDecimal('18446744073.709551615', 9)).toEqual({ kind: 'amount', amount: U64_MAX })
    expect(readDecimal('18446744073.709551616', 9)).toEqual({ kind: 'too_large' })
    expect(readDecimal('9'.repeat(400), 9)).toEqual({ kind: 'too_large' })
    expect(readDecimal('  ', 9)).toEqual({ kind: 'empty' })
  })
})

describe('the rate of an exchange', () => {
  const sol = (units: bigint) => ({ amount: amount(units), decimals: 9, symbol: 'SOL' })
  const usdc = (units: bigint) => ({ amount: amount(units), decimals: 6, symbol: 'USDC' })

  it('is shown in the direction whose number is at least one', () => {
    expect(showRate(sol(2_000_000_000n), usdc(299_100_000n))).toBe('149.55 USDC per SOL')
    expect(showRate(usdc(299_100_000n), sol(2_000_000_000n))).toBe('149.55 USDC per SOL')
    expect(showRate(sol(1n), usdc(0n))).toBeUndefined()
  })

  it('is never better for the payer than the exact rate of the two amounts', () => {
    const some = fc.bigInt({ min: 1n, max: 10n ** 18n })
    fc.assert(
      fc.property(some, some, (amountIn, amountOut) => {
        const [value = '', , , per] = (showRate(sol(amountIn), usdc(amountOut)) ?? '').split(' ')
        const read = readDecimal(value, 6)
        fc.pre(read.kind === 'amount')
        if (read.kind !== 'amount') return
        // Rates in millionths: USDC received for each SOL paid, or SOL paid for each USDC received.
        const [top, bottom] =
          per === 'SOL' ? [amountOut * 10n ** 9n, amountIn] : [amountIn * 10n ** 3n, amountOut]
        const exact = top / bottom
        const slip = per === 'SOL' ? exact - read.amount : read.amount - exact
        expect(slip, `${amountIn} for ${amountOut} is ${value}`).toBeGreaterThanOrEqual(0n)
        expect(slip * 10_000n).toBeLessThanOrEqual(exact + 10_000n)
      }),
    )
  })
})
