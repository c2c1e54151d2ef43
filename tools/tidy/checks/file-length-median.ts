import { productFiles } from '../sources.ts'
import type { TidyCheck, Tree } from '../tree.ts'

// The aim is under 80; at 80 itself nobody has to split a file over one line.
const medianMax = 80

export const fileLengthMedian: TidyCheck = {
  name: 'file-length-median',
  why: 'Half of all files fit on two screens, or the code drifts into files of everything.',
  run: (tree) => {
    const found = median(tree)
    if (found === null) return [{ path: '.', problem: 'there are no source files to measure' }]
    if (found <= medianMax) return []
    return [{ path: '.', problem: `the median file has ${found} lines, more than ${medianMax}` }]
  },
  report: (tree) => `median ${median(tree) ?? 0} lines over ${productFiles(tree).length} files`,
}

function median(tree: Tree): number | null {
  const sizes = productFiles(tree)
    .map((file) => file.lines)
    .sort((left, right) => left - right)
  return sizes[Math.floor(sizes.length / 2)] ?? null
}
