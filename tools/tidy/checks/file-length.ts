import { sourceFiles } from '../sources.ts'
import type { TidyCheck } from '../tree.ts'

const linesMax = 300

export const fileLength: TidyCheck = {
  name: 'file-length',
  why: `A file over ${linesMax} lines holds more than one thing: find the second and give it a name.`,
  run: (tree) =>
    sourceFiles(tree)
      .filter((file) => file.lines > linesMax)
      .map((file) => ({ path: file.path, problem: `has ${file.lines} lines` })),
}
