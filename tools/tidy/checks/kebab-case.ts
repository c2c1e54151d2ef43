import { sourceFiles } from '../sources.ts'
import type { TidyCheck } from '../tree.ts'

const kebab = /^\.?[a-z0-9]+(-[a-z0-9]+)*$/
const snake = /^[a-z0-9]+(_[a-z0-9]+)*$/

export const kebabCase: TidyCheck = {
  name: 'kebab-case',
  why: 'One way to write names: kebab-case, and snake_case in Rust, whose modules need it.',
  run: (tree) =>
    sourceFiles(tree)
      .filter((file) => !isNamedWell(file.path))
      .map((file) => ({ path: file.path, problem: 'a name in it is not kebab-case' })),
}

function isNamedWell(name: string): boolean {
  const segments = name.split('/')
  const file = segments.pop() ?? ''
  if (file.endsWith('.rs')) {
    // The folder of the crate itself follows the repository, those inside follow Rust.
    return snake.test(file.slice(0, -3)) && segments.every((part) => snake.test(part))
  }
  const stem = file.replace(/(\.(test|d|config))*\.[a-z]+$/, '')
  return kebab.test(stem) && segments.every((part) => kebab.test(part))
}
