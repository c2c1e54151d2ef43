// `npm run quickstart-test`: does what docs/quick-start.md says, word for word, as somebody who has just
// cloned the repository: in a home of their own, and with packages from a registry that hands out what
// is installed here. Ends with "N passed, N failed".
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { npmSettings, startInstalledRegistry } from '../../testing/registry/installed-registry.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { isShown } from './compare-output.ts'
import { readPage, type Step } from './read-page.ts'
import { openTerminal } from './terminal.ts'

const PAGE = 'docs/quick-start.md'
/** What the page promises. */
const TEN_MINUTES_MS = 600_000
/** How shells and npm report a program that Ctrl-C has ended. */
const INTERRUPTED = 130

/** Settings of the npm that runs this would reach the reader's one, the registry among them. */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^SOTTO_/.test(name)))

const home = await mkdtemp(path.join(tmpdir(), 'sotto-quick-start-'))
const registry = await startInstalledRegistry()
const env = {
  ...ownEnvironment(),
  ...npmSettings(registry.url, path.join(home, '.npm')),
  HOME: home,
}
const first = openTerminal(repositoryRoot, env)
const second = openTerminal(repositoryRoot, env)
let printed: string | undefined
let timer: NodeJS.Timeout | undefined
const tooLate = new Promise<never>((_resolve, reject) => {
  timer = setTimeout(() => reject(new Error('ten minutes are over')), TEN_MINUTES_MS)
})
tooLate.catch(() => undefined)

/** Does one step. @throws Error where the page is wrong. */
async function follow(step: Step): Promise<void> {
  switch (step.kind) {
    case 'serve':
      first.leave(step.text)
      printed = undefined
      return
    case 'type':
      printed = await second.type(step.text)
      return
    case 'write': {
      const folder = (await second.type('pwd')).trim()
      await writeFile(path.join(folder, step.file), step.text)
      return
    }
    case 'see':
      if (printed === undefined) return first.until((text) => isShown(step.text, text))
      if (!isShown(step.text, printed)) throw new Error(`printed instead:\n${printed}`)
      return
  }
}

let passed = 0
let failed = 0

/** Counts one thing that the page promises. Returns whether it was so. */
async function promise(name: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await Promise.race([work(), tooLate])
    console.log(`ok  ${name}`)
    passed += 1
    return true
  } catch (error) {
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    failed += 1
    return false
  }
}

for (const step of readPage(await readFile(path.join(repositoryRoot, PAGE), 'utf8'))) {
  // Whoever got stuck here would not read on.
  if (!(await promise(`${PAGE}:${step.line} ${step.kind}`, () => follow(step)))) break
}
await promise('Ctrl-C ends everything in the first terminal', async () => {
  const { code, signal, complaints } = await first.interrupt()
  const isEndedByIt = signal === 'SIGINT' || code === 0 || code === INTERRUPTED
  if (!isEndedByIt) throw new Error(`it ended with ${code ?? signal}\n${complaints}`)
  if (complaints.includes('ended by itself')) throw new Error(complaints)
})
clearTimeout(timer)
await second.interrupt()
await registry.stop()
await rm(home, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
