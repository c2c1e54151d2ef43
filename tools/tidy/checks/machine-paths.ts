import type { TidyCheck } from '../tree.ts'

// Matches paths of folders that exist only on one machine or for one person. System folders such as /usr/bin exist on
// all machines.
const machinePath = /(?<![\w.)\]}-])\/(?:(?:work|root)\/[\w.@-]|(?:home|Users)\/[\w.-]+\/)/

export const machinePaths: TidyCheck = {
  name: 'machine-paths',
  why: 'A path of one machine is wrong on every other machine, and changes the hash of a binary.',
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
