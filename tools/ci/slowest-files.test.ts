import { expect, test } from 'vitest'
import { slowestFiles } from './slowest-files.mjs'

const fileOf = (name: string, seconds: number) => ({
  ...{ name: `/clone/${name}`, startTime: 5_000, endTime: 5_000 + seconds * 1_000 },
})

test('the slowest files of all reports are listed, the slowest first', () => {
  const usual = { testResults: [fileOf('a.test.ts', 2), fileOf('b/c.test.ts', 40.2)] }
  const long = { testResults: [fileOf('d.long.test.ts', 7)] }
  expect(slowestFiles([usual, long], '/clone', 2)).toEqual([
    { file: 'b/c.test.ts', seconds: 40 },
    { file: 'd.long.test.ts', seconds: 7 },
  ])
})
