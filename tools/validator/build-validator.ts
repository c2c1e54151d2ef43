import { spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Progress } from '../../demo/src/progress.ts'
import { builtExecutable, cacheFolder, EXECUTABLE, VERSION } from './find-validator.ts'

const COMMAND = 'cargo'
const ARGUMENTS = ['install', `agave-validator@${VERSION}`, '--locked', '--bin', EXECUTABLE]
/** Settings that make the build fast. They make the validator slower, but one processor core is still enough for it. */
const PROFILE = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '1',
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
  CARGO_PROFILE_RELEASE_DEBUG: '0',
} as const

/** The Debian packages that the build needs, apart from Rust. */
const PACKAGES = [
  ...['clang', 'libclang-dev', 'llvm-dev', 'libudev-dev', 'cmake', 'pkg-config', 'libssl-dev'],
  'protobuf-compiler',
]
/** Commands with arguments that check for the tools that the build needs. A command fails if its tool is missing. */
const PROBES: Readonly<Record<string, readonly string[]>> = {
  cargo: ['--version'],
  clang: ['--version'],
  cmake: ['--version'],
  protoc: ['--version'],
  'pkg-config': ['--exists', 'libudev', 'openssl'],
}

/** A description of the build. The user reads it and then decides whether the build starts. */
export const plan = (): string =>
  [
    `Agave's ${EXECUTABLE} ${VERSION} can be built once for all checkouts:`,
    '',
    `  command  ${COMMAND} ${ARGUMENTS.join(' ')}`,
    '  time     35 to 60 minutes on two cores, both fully busy',
    '  disk     4 GB during the build, 0.2 GB afterwards',
    `  place    ${cacheFolder()}`,
    `  needs    Rust 1.95 or newer, and Debian's ${PACKAGES.join(', ')}`,
    '',
  ].join('\n')

const endOf = (command: string, args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    const child = spawn(command, args, { stdio: 'ignore' })
    child.once('error', () => resolve(1))
    child.once('close', (code) => resolve(code ?? 1))
  })

async function assertTools(): Promise<void> {
  const missing: string[] = []
  for (const [command, args] of Object.entries(PROBES)) {
    if ((await endOf(command, args)) !== 0) missing.push([command, ...args].join(' '))
  }
  if (missing.length === 0) return
  throw new Error(
    `the build needs commands that fail here: ${missing.join(', ')}\n` +
      `Install Rust from your distribution or rustup, and: apt-get install ${PACKAGES.join(' ')}`,
  )
}

const LAST_LINES = 20

/**
 * Builds the validator into the cache and returns the path of the executable. After an interruption, the next call
 * continues the build.
 *
 * @throws Error if the build fails or if `signal` interrupts it. The error contains the compiler's last lines.
 */
export async function buildValidator(progress: Progress, signal: AbortSignal): Promise<string> {
  await assertTools()
  const folder = cacheFolder()
  const target = join(folder, 'target')
  await mkdir(target, { recursive: true })
  const child = spawn(COMMAND, [...ARGUMENTS, '--root', folder], {
    env: { ...process.env, ...PROFILE, CARGO_TARGET_DIR: target, CARGO_TERM_COLOR: 'never' },
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  })
  const last: string[] = []
  let compiled = 0
  createInterface({ input: child.stderr }).on('line', (line) => {
    last.push(line)
    if (last.length > LAST_LINES) last.shift()
    if (!/^\s*Compiling /.test(line)) return
    compiled += 1
    const text = `${compiled} crates begun, now ${line.trim()}`
    progress.doing(text)
    if (compiled % 100 === 0) progress.done(text)
  })
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) {
    throw new Error(`${COMMAND} ended with ${String(code)}; its last lines:\n${last.join('\n')}`)
  }
  await rm(target, { recursive: true, force: true })
  return builtExecutable()
}
