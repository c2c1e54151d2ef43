// Plants a bug in a source file while Node loads the file. Runs on Node's loader thread.
import fs from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

let edits = []

/** @param {{ path: string, find: string, replace: string }[]} data */
export async function initialize(data) {
  edits = data
}

/**
 * @param {string} url
 * @param {object} context
 * @param {(url: string, context: object) => Promise<object>} nextLoad
 */
export async function load(url, context, nextLoad) {
  const [plain] = url.split('?')
  const own = edits.filter(({ path }) => plain.endsWith(`/${path}`))
  if (own.length === 0) return nextLoad(url, context)
  let text = await fs.readFile(fileURLToPath(plain), 'utf8')
  for (const { path, find, replace } of own) {
    const parts = text.split(find)
    if (parts.length !== 2) {
      throw new Error(`the mutant's text occurs ${parts.length - 1} times in ${path}`)
    }
    text = parts.join(replace)
  }
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  })
  return { format: 'module', source: outputText, shortCircuit: true }
}
