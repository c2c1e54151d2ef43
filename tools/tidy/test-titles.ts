import ts from 'typescript'
import { parse } from './sources.ts'
import type { TreeFile } from './tree.ts'

const RUNNERS = ['it', 'test', 'describe']
/** What of a test's modifiers keeps it from being run. */
const NEVER_RUN = ['skip', 'todo']

const known = new WeakMap<TreeFile, ReadonlySet<string>>()

/**
 * The titles of the tests that a file runs, as they are written: of `it`, `test` and `describe`, of the
 * rows of their tables, and of functions that hand their first argument on as a title. Comments, tests
 * that are skipped, and text that only looks like a title are none.
 */
export function testTitles(file: TreeFile): ReadonlySet<string> {
  const before = known.get(file)
  if (before !== undefined) return before
  const titles = file.path.endsWith('.rs') ? rustTitles(file.text) : scriptTitles(parse(file))
  known.set(file, titles)
  return titles
}

/** Functions right behind `#[test]`, not ignored. */
function rustTitles(text: string): Set<string> {
  const code = text.replaceAll(/\/\/.*$/gm, '')
  return new Set([...code.matchAll(/#\[test\]\s*fn (\w+)/g)].map(([, name = '']) => name))
}

function scriptTitles(source: ts.SourceFile): Set<string> {
  const titles = new Set<string>()
  const runners = new Set([...RUNNERS, ...ownRunners(source)])
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const words = calledWords(node.expression)
      if (runners.has(words[0] ?? '')) {
        // Nothing inside a skipped group is run either.
        if (words.some((word) => NEVER_RUN.includes(word))) return
        addText(titles, node.arguments[0])
        for (const table of tablesOf(node.expression)) addRows(titles, table, source)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return titles
}

/** `it.each(rows)` as `it`, `each`. */
function calledWords(expression: ts.Expression): string[] {
  if (ts.isIdentifier(expression)) return [expression.text]
  if (ts.isCallExpression(expression)) return calledWords(expression.expression)
  if (ts.isTaggedTemplateExpression(expression)) return calledWords(expression.tag)
  if (!ts.isPropertyAccessExpression(expression)) return []
  return [...calledWords(expression.expression), expression.name.text]
}

/** The arguments of every `each` and `for` on the way to a test. */
function tablesOf(expression: ts.Expression): ts.Expression[] {
  if (!ts.isCallExpression(expression)) return []
  return [...tablesOf(expression.expression), ...expression.arguments]
}

/** Names of functions in the file in which a test's title is their own first parameter. */
function ownRunners(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && RUNNERS.includes(calledWords(node.expression)[0] ?? '')) {
      const [title] = node.arguments
      const owner = title === undefined ? undefined : ownerOf(node, title.getText())
      if (owner !== undefined) found.push(owner)
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** The function around a node whose first parameter has this name. */
function ownerOf(node: ts.Node, parameter: string): string | undefined {
  for (let at: ts.Node = node; !ts.isSourceFile(at); at = at.parent) {
    if (!ts.isFunctionLike(at) || at.parameters[0]?.name.getText() !== parameter) continue
    if (ts.isFunctionDeclaration(at)) return at.name?.text
    const holder = at.parent
    if (ts.isVariableDeclaration(holder)) return holder.name.getText()
  }
  return undefined
}

/** Texts at the head of the rows of a table, which may stand in a constant of the file. */
function addRows(titles: Set<string>, table: ts.Expression, source: ts.SourceFile): void {
  const visit = (node: ts.Node, depth: number): void => {
    if (ts.isArrayLiteralExpression(node)) {
      const inner = depth === 0 ? node.elements : node.elements.slice(0, 1)
      for (const one of inner) visit(one, depth + 1)
    } else if (ts.isObjectLiteralExpression(node)) {
      for (const one of node.properties) addText(titles, one.name)
    } else if (ts.isIdentifier(node)) {
      const value = constantOf(source, node.text)
      if (value !== undefined && value !== node) visit(value, depth)
    } else if (ts.isCallExpression(node)) {
      for (const one of node.arguments) visit(one, depth)
    } else if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node)) {
      visit(node.expression, depth)
    } else addText(titles, node)
  }
  visit(table, 0)
}

function constantOf(source: ts.SourceFile, name: string): ts.Expression | undefined {
  for (const statement of source.statements) {
    if (!ts.isVariableStatement(statement)) continue
    for (const one of statement.declarationList.declarations) {
      if (one.name.getText() === name) return one.initializer
    }
  }
  return undefined
}

/** Adds a text with its white space as prose has it; of a template, all between its ticks. */
function addText(titles: Set<string>, node: ts.Node | undefined): void {
  if (node === undefined) return
  const isText = ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)
  if (isText) titles.add(node.text.replace(/\s+/g, ' '))
  else if (ts.isTemplateExpression(node)) titles.add(node.getText().slice(1, -1))
}
