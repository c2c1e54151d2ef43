import { sourceFiles } from '../sources.ts'
import type { TidyCheck } from '../tree.ts'

// Put together, so that this file does not find itself.
const marks = new RegExp(
  `\\b(${['FIX' + 'ME', 'TO' + 'DO', 'X' + 'XX', 'HA' + 'CK'].join('|')})\\b`,
)

export const unfinishedMarks: TidyCheck = {
  name: 'unfinished-marks',
  why: 'A mark in the code is a task that nobody sees. Do it, or open an issue.',
  run: (tree) =>
    [
      ...sourceFiles(tree),
      ...tree.files.filter((file) => /\.(md|sql|ya?ml)$/.test(file.path)),
    ].flatMap((file) =>
      file.text.split('\n').flatMap((line, index) => {
        const mark = marks.exec(line)?.[1]
        return mark === undefined
          ? []
          : [{ path: file.path, line: index + 1, problem: `is marked ${mark}` }]
      }),
    ),
}
