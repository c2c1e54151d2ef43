import { expect, it } from 'vitest'
import { gatheredLines } from './gathered-lines.ts'

function gathering() {
  const written: string[] = []
  let exit = () => undefined as void
  const sink = { write: (text: string) => void written.push(text) }
  const lines = gatheredLines(sink, (flush) => {
    exit = flush
  })
  return { written, lines, exit: () => exit() }
}
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('writes the lines of a turn together, in order, and only once', async () => {
  const { written, lines, exit } = gathering()
  lines.write('one\n')
  lines.write('two\n')
  await nextTurn()
  expect(written).toEqual(['one\ntwo\n'])
  lines.write('three\n')
  await nextTurn()
  exit()
  expect(written).toEqual(['one\ntwo\n', 'three\n'])
})

it('writes the remaining lines when the process ends', () => {
  const { written, lines, exit } = gathering()
  lines.write('the last words\n')
  exit()
  expect(written).toEqual(['the last words\n'])
})
