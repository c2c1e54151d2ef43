import { describe, expect, it } from 'vitest'
import { readList } from './read-list.ts'

const SOL = { assetId: 'So11111111111111111111111111111111111111112', symbol: 'SOL', decimals: 9 }
const [A, B] = [
  'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v1',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
]
const problemsOf = (...rows: string[]) =>
  readList(['recipient,amount', ...rows].join('\n'), SOL).problems

describe('a list', () => {
  it('is read exactly to the base unit, with the line numbers of an editor', () => {
    const text = `recipient,amount,reference\n${A},1.000000001,May\n\n${B},25,\n`
    expect(readList(text, SOL)).toEqual({
      lines: [
        { line: 2, recipient: A, amount: 1_000_000_001n, reference: 'May' },
        { line: 4, recipient: B, amount: 25_000_000_000n, reference: '' },
      ],
      ...{ problems: [], ignored: [] },
    })
  })

  it.each([
    ['semicolons and decimal commas', `recipient;amount\r\n${A};1,5\r\n`],
    ['tabs', `recipient\tamount\n${A}\t1.5`],
    ['a byte order mark, quotes and spaces', `\uFEFF"Recipient", "Amount"\n "${A}" , 1.5 \n`],
    ['empty cells after the table', `recipient,amount\n${A},1.5\n,\n`],
  ])('may have %s', (_name, text) => {
    const { lines, problems } = readList(text, SOL)
    expect(problems).toEqual([])
    expect(lines).toMatchObject([{ line: 2, recipient: A, amount: 1_500_000_000n }])
  })

  it('names the columns that are not used', () => {
    const { lines, ignored } = readList(`Name,recipient,amount,IBAN\nx,${A},1,y`, SOL)
    expect(lines).toHaveLength(1)
    expect(ignored).toEqual(['name', 'iban'])
  })

  it('is refused with a list of all wrong lines, not only the first one', () => {
    const problems = problemsOf(`${A}x,1`, `${A},1.0000000001`, `${A},0`, `${A},1`, `${B},"1,500"`)
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4, 6])
    expect(problems.map(({ problem }) => problem)).toEqual([
      `"${A}x" is not a Solana address`,
      expect.stringContaining('9 decimals'),
      'the amount is 0',
      '"1,500" can mean 1500 or 1.500',
    ])
  })

  it('is refused with another mint in its asset column, even if the service lists it as the symbol', () => {
    const usdc = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const text = `recipient,amount,asset\n${A},25,${usdc}\n${A},25,${SOL.assetId}`
    const { problems } = readList(text, { ...SOL, symbol: usdc })
    expect(problems).toEqual([{ line: 2, problem: expect.stringContaining(`asset is ${usdc}`) }])
  })

  it.each(['-1', '1e3', '', '+1', '٣', 'NaN', '0x10', '1 SOL'])(
    'is refused with the amount "%s"',
    (amount) => {
      expect(problemsOf(`${A},${amount}`)).toHaveLength(1)
    },
  )

  it.each([
    ['a decimal comma', ';', ['1.500', '1.250,50'], [2]],
    ['a decimal comma next to a decimal point', ';', ['1.5', '1,25', '12.500'], [4]],
    ['a decimal comma in quotes', ',', ['"0,5"', '1.500'], [3]],
    ['a decimal comma after spaces', '\t', ['1 250,5', ' 1.500 ', '999.000'], [3, 4]],
    ['points between thousands', ',', ['1.500.000', '1.500'], [3]],
    ['semicolons, and no sign of the decimal mark', ';', ['1.500', '2.000', '7'], [2, 3]],
    ['tabs, and no sign of the decimal mark', '\t', ['1.500', '1.000'], [2, 3]],
    ['semicolons and decimal points', ';', ['1.500', '0.250'], []],
    ['semicolons and commas between thousands', ';', ['1.500', '1,250.50', '1,000,000'], []],
    ['commas', ',', ['1.500', '2.000'], []],
    ['no amount of this form', ';', ['1.250,50', '1500', '0.500', '1.5000'], []],
  ])(
    'with %s has a problem for each amount with an ambiguous point',
    (_name, mark, amounts, at) => {
      const rows = [`recipient${mark}amount`, ...amounts.map((amount) => `${A}${mark}${amount}`)]
      expect(readList(rows.join('\n'), SOL).problems).toEqual(
        at.map((line) => ({
          line,
          problem: expect.stringMatching(/^"\d+\.\d00" can mean \d+ or [\d.]+$/) as string,
        })),
      )
    },
  )

  it('offers both readings of an amount with an ambiguous point', () => {
    const { problems } = readList(`recipient;amount\n${A};1.500\n${B};2,5`, SOL)
    expect(problems).toEqual([{ line: 2, problem: '"1.500" can mean 1500 or 1.5' }])
  })

  it.each(['\n', '\r\n', '\r'])('is refused if a quoted field hides a payee after %j', (end) => {
    const text = `recipient,amount,reference\n${A},1,"May${end}${B},2,June"\n`
    const { problems } = readList(text, SOL)
    expect(problems.map(({ problem }) => problem)).toEqual([
      'a field in quotes has several lines, which may be other payments',
    ])
  })

  it('is refused if a field that is not used hides a payee', () => {
    const text = `recipient,amount,note\n${A},1,"May\n${B},2,June"\n`
    expect(readList(text, SOL).problems).toMatchObject([{ line: 3 }])
  })

  it('is refused if a line names an asset that is not the balance’s', () => {
    const text = `recipient,amount,asset\n${A},100,USDC\n${B},100,sol\n`
    const { problems } = readList(text, SOL)
    expect(problems).toEqual([{ line: 2, problem: expect.stringContaining('USDC') as string }])
  })

  it.each([
    ['no headline', `${A},1\n`, /0 columns "recipient"/],
    ['a column twice', `recipient,amount,amount\n${A},1,2\n`, /2 columns "amount"/],
    ['a line with other columns', `recipient,amount\n${A},1,2\n`, /line 2/],
    ['an open quote', `recipient,amount\n"${A},1\n`, /can't be read/],
  ])('is refused as a whole if it has %s', (_name, text, message) => {
    expect(() => readList(text, SOL)).toThrow(message)
  })
})
