import { expect, it } from 'vitest'
import { openOutput } from './output.ts'

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
