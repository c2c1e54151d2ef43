import { expect, it } from 'vitest'
import { progressOn } from './progress.ts'

const recorded = (isTTY: boolean, isSilent = false) => {
  const written: string[] = []
  const stream = { write: (text: string) => written.push(text), isTTY }
  return { written, progress: progressOn(stream, isSilent) }
}

it.each([false, true])(
  'keeps the last step on the screen after Ctrl-C (on a terminal: %s)',
  (isTTY) => {
    const { written, progress } = recorded(isTTY)
    progress.stopping()
    progress.doing('proving')
    progress.stopping()
    const lines = written.filter((text) => text.startsWith('stopping'))
    expect(lines).toEqual([
      'stopping; press Ctrl-C again to end at once\n',
      'stopping; last step: proving; press Ctrl-C again to end at once\n',
    ])
  },
)

it('shows no progress to a script that reads the output', () => {
  const { written, progress } = recorded(false, true)
  progress.stopping()
  expect(written).toEqual([])
})
