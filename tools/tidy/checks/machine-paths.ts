import type { TidyCheck } from '../tree.ts'

// Folders of a particular machine or person; a system's own, such as /usr/bin, are everywhere.
const machinePath = /(?<![\w.)\]}-])\/(?:(?:work|root)\/[\w.@-]|(?:home|Users)\/[\w.-]+\/)/

export const machinePaths: TidyCheck = {
  name: 'machine-paths',
  why: 'A path of one machine is wrong on every other, and in a binary it changes its hash.',
  run: (tree) =>
    tree.files.flatMap((file) =>
      file.text.split('\n').flatMap((line, index) => {
        const found = machinePath.exec(line)?.[0]
        return found === undefined
          ? []
          : [{ path: file.path, line: index + 1, problem: `names a machine's path, ${found}...` }]
      }),
    ),
}
