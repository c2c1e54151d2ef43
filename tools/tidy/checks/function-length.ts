import ts from 'typescript'
import { parse, scriptFiles, sourceFiles } from '../sources.ts'
import type { Finding, TidyCheck, TreeFile } from '../tree.ts'

const linesMax = 69

export const functionLength: TidyCheck = {
  name: 'function-length',
  why: `A function of 70 lines or more cannot be read at once: name its steps.`,
  run: (tree) => [
    ...scriptFiles(tree).flatMap(inScript),
    ...sourceFiles(tree)
      .filter((file) => file.path.endsWith('.rs'))
      .flatMap(inRust),
  ],
}

function inScript(file: TreeFile): Finding[] {
  const source = parse(file)
  const findings: Finding[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && !isTestGroup(node)) {
      const first = source.getLineAndCharacterOfPosition(node.getStart()).line
      const last = source.getLineAndCharacterOfPosition(node.getEnd()).line
      findings.push(...tooLong(file, first + 1, last - first + 1))
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return findings
}

// `describe` only groups tests; each test inside is measured by itself.
function isTestGroup(node: ts.Node): boolean {
  return ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText())
}

// rustfmt puts a function's closing brace at the indentation of its first line.
function inRust(file: TreeFile): Finding[] {
  const lines = file.text.split('\n')
  return lines.flatMap((line, index) => {
    const start = /^(\s*)(pub(\([^)]*\))? )?((const|async|unsafe|extern "C") )*fn \w/.exec(line)
    if (start === null || line.trimEnd().endsWith(';')) return []
    const end = lines.indexOf(`${start[1] ?? ''}}`, index)
    return end === -1 ? [] : tooLong(file, index + 1, end - index + 1)
  })
}

function tooLong(file: TreeFile, line: number, length: number): Finding[] {
  return length <= linesMax
    ? []
    : [{ path: file.path, line, problem: `a function of ${length} lines` }]
}
