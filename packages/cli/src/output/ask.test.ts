import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { ask } from './ask.ts'

/** A terminal on which a person types these keys once the question is shown. */
function terminalTyping(keys: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const stderr = Object.assign(new PassThrough(), { isTTY: true })
  stderr.once('data', () => setImmediate(() => stdin.write(keys)))
  return { stdin, stderr }
}

const CTRL_C = '\u0003'
const CTRL_D = '\u0004'

it.each([
  ['y\r', true],
  ['yes\r', true],
  ['no\r', false],
  ['\r', false],
  [CTRL_D, false],
])('takes the keys %j as the answer %s', async (keys, answer) => {
  expect(await ask('Pay?', new AbortController().signal, terminalTyping(keys))).toBe(answer)
})

it('stops the command if the person presses Ctrl-C at the question', async () => {
  const interruption = new AbortController()
  // A real signal would also reach the other tests of this process.
  const stop = () => interruption.abort()
  const asked = ask('Pay?', interruption.signal, terminalTyping(CTRL_C), stop)
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  expect(interruption.signal.aborted).toBe(true)
})
