import { sourceFiles } from '../sources.ts'
import type { TidyCheck } from '../tree.ts'

const empty = /^(.*[-_])?(utils?|common|helpers?|lib|misc)$/

// Cargo decides this one.
const crateRoot = 'program/src/lib.rs'

export const tellingNames: TidyCheck = {
  name: 'telling-names',
  why: 'Such a name says nothing, so everything ends up there. Name the one thing inside.',
  run: (tree) =>
    sourceFiles(tree)
      .filter((file) => file.path !== crateRoot)
      .flatMap((file) =>
        file.path
          .split('/')
          .map((part) => part.replace(/\..*$/, ''))
          .filter((part) => empty.test(part))
          .map((part) => ({ path: file.path, problem: `is named "${part}"` })),
      ),
}
