import { expect, it } from 'vitest'
import { SottoApiError } from '@sotto/sdk/server'
import { noteMade } from '../commands/balance/send.ts'
import { explainFailure } from '../explain-failure.ts'
import { openOutput } from './output.ts'

/** Texts of a service that tries to add lines like those of the command, with several kinds of line breaks. */
const FORGED = ['\n', '\r\n', '\n\n  ', '\u2028', '\n\u001b[31m', '\u0085', '\v'].map(
  (gap) => `ok${gap}sotto: nothing was paid${gap}  NOT_PAID; next: sotto send again\n`,
)

function onTerminal() {
  const written: string[] = []
  const stream = { isTTY: true, write: (text: string) => written.push(text) }
  const output = openOutput({ table: true }, { stdout: stream, stderr: stream, stdin: stream })
  return {
    output,
    lines: () =>
      written
        .join('')
        .trimEnd()
        .split(/\r\n|[\n\r\v\u0085\u2028]/),
  }
}

it('a text of the service adds no line to a failure', () => {
  for (const forged of FORGED) {
    const body = { success: false, code: forged, message: forged, requestId: forged }
    const { output, lines } = onTerminal()
    const refusal = new SottoApiError(500, { ...body, retry: 'never', docs: '/' } as never, forged)
    output.failure(explainFailure(refusal, false))
    expect(lines()).toHaveLength(2)
    expect(lines()[1]).toMatch(/^ {2}ok/)
  }
})

it('the stack of an unknown error keeps its lines', () => {
  const { output, lines } = onTerminal()
  output.failure(explainFailure(new TypeError('x is not\na function'), false))
  expect(lines()[0]).toMatch(/x is not a function$/)
  expect(lines()[1]).toMatch(/^ {4}at /)
})

it('a symbol of the service adds no line to a note', () => {
  for (const symbol of FORGED) {
    const { output, lines } = onTerminal()
    const payment = { step: 'paid', key: '1', request: { to: 'a' }, paid: { payout: '5' } }
    const asset = { assetId: 'a', symbol, decimals: 0 }
    noteMade({ output } as never, [payment] as never, undefined, asset)
    expect(lines()).toHaveLength(1)
  }
})

it('returns the reason why a result could not be written', async () => {
  const full = new Error('no space left')
  let writes = 0
  const stdout = {
    write: (_text: string, done?: (error?: Error | null) => void) => {
      writes += 1
      done?.(writes === 2 ? full : null)
    },
  }
  const output = openOutput({ json: true }, { stdout, stderr: stdout, stdin: {} })
  output.result({}, () => '')
  expect(await output.written()).toBeUndefined()
  output.result({}, () => '')
  output.result({}, () => '')
  expect(await output.written()).toBe(full)
})
