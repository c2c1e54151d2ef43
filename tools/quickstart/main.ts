// `npm run quickstart-test`: follows docs/quick-start.md, docs/raw-http.md and docs/balances.md exactly, as a user who
// has just cloned the repository would. The user has a new home folder. Packages come from a registry that serves the
// packages installed here. Arguments select other pages, such as docs/deployment/npm.md. With `--validator`, the
// service of each page uses Agave's test validator, through options of `npm start`. Ends with "N passed, N failed".
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { npmSettings, startInstalledRegistry } from '../../testing/registry/installed-registry.ts'
import { repositoryRoot } from '../bootstrap/paths.mjs'
import { openValidator } from '../validator/open-validator.ts'
import type { RunningValidator } from '../validator/start-validator.ts'
import { isShown } from './compare-output.ts'
import { readPage, type Step } from './read-page.ts'
import { endTerminalsAtExit, openTerminal, type Terminal } from './terminal.ts'

const PAGES = ['docs/quick-start.md', 'docs/raw-http.md', 'docs/balances.md']
/** The time limit that the quick start states, in milliseconds. It is also the limit for the other pages. */
const TEN_MINUTES_MS = 600_000
/** The exit code that shells and npm report if Ctrl-C ended a program. */
const INTERRUPTED = 130

/**
 * This process's environment without two groups of settings that the commands of the simulated reader must not inherit:
 * `SOTTO_` settings, and settings of the npm that runs this script, such as the registry.
 */
const ownEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_|^SOTTO_/.test(name)))

const VALIDATOR = '--validator'

interface Reader {
  /** Arguments for `npm start` that aren't on any page. */
  readonly more: string
  readonly first: Terminal
  readonly second: Terminal
  /** The output of the last command; undefined after a command that keeps running. */
  printed: string | undefined
}

const START = /^npm start -- /

/** Executes one step. @throws Error if the page is wrong. */
async function follow(reader: Reader, step: Step): Promise<void> {
  const { first, second, printed } = reader
  switch (step.kind) {
    case 'serve':
      first.leave(step.text.replace(START, `$&${reader.more} `))
      reader.printed = undefined
      return
    case 'stop':
      await stopFirst(reader)
      reader.printed = undefined
      return
    case 'type':
      reader.printed = await second.type(step.text)
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

/** Checks and counts one statement of a page. Returns true if the statement was correct. */
async function promise(name: string, work: Promise<void>): Promise<boolean> {
  const startMs = performance.now()
  try {
    await work
    const seconds = Math.round((performance.now() - startMs) / 1_000)
    console.log(`ok  ${name} (${seconds} s)`)
    passed += 1
    return true
  } catch (error) {
    console.log(`FAIL  ${name}: ${error instanceof Error ? error.message : String(error)}`)
    failed += 1
    return false
  }
}

async function stopFirst({ first }: Reader): Promise<void> {
  const { code, signal, complaints } = await first.interrupt()
  const isEndedByIt = signal === 'SIGINT' || code === 0 || code === INTERRUPTED
  if (!isEndedByIt) throw new Error(`the program ended with ${code ?? signal}\n${complaints}`)
  if (complaints.includes('stopped unexpectedly')) throw new Error(complaints)
}

async function followPage(page: string, env: NodeJS.ProcessEnv, more: string): Promise<void> {
  const first = openTerminal(repositoryRoot, env)
  const second = openTerminal(repositoryRoot, env)
  const reader: Reader = { first, second, more, printed: undefined }
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('the ten minutes are over')), TEN_MINUTES_MS)
  })
  tooLate.catch(() => undefined)
  for (const step of readPage(await readFile(path.join(repositoryRoot, page), 'utf8'))) {
    const name = `${page}:${step.line} ${step.kind}`
    // If a step fails, the test skips the rest of the page, because a reader would stop there too.
    if (!(await promise(name, Promise.race([follow(reader, step), tooLate])))) break
  }
  const name = `${page}: Ctrl-C ends everything in the first terminal`
  await promise(name, Promise.race([stopFirst(reader), tooLate]))
  clearTimeout(timer)
  await second.interrupt()
}

const startOptions = ({ rpcUrl, program, payerFile }: RunningValidator): string =>
  `--rpc ${rpcUrl} --program ${program} --payer ${payerFile}`

endTerminalsAtExit()
const home = await mkdtemp(path.join(tmpdir(), 'sotto-quick-start-'))
const registry = await startInstalledRegistry()
const settings = npmSettings(registry.url, path.join(home, '.npm'))
const args = process.argv.slice(2)
const named = args.filter((one) => one !== VALIDATOR)
const reader = { ...ownEnvironment(), ...settings, HOME: home }
for (const page of named.length > 0 ? named : PAGES) {
  // Each page creates a pool, and a program can have only one pool. So each page needs its own validator.
  const validator = args.includes(VALIDATOR) ? await openValidator() : undefined
  await followPage(page, reader, validator === undefined ? '' : startOptions(validator))
  await validator?.stop()
}
await registry.stop()
await rm(home, { recursive: true, force: true })
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
