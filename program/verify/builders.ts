import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { installedVersion, installPackages } from './debian-packages.ts'
import { run } from './run.ts'

/** Exact versions by tool, as the tools report them. */
export type Toolchain = Readonly<Record<string, string>>

/**
 * One of the two ways to build the program. Each way gives the same bytes on every machine. The two ways give different
 * bytes.
 */
export interface Builder {
  readonly name: BuilderName
  /** The installed versions; `absent` for a missing tool. */
  readonly readToolchain: () => Toolchain
  /** Installs missing tools. Returns the reason if that fails. */
  readonly install: () => string | undefined
  /** Builds a copy of `program/` and returns the path of the built program. @throws Error if the build fails. */
  readonly build: (folder: string) => string
}

export type BuilderName = 'debian' | 'sbf'

export const ABSENT = 'absent'
const LLVM = '/usr/lib/llvm-22'
const RUSTC = '/usr/bin/rustc'
const CARGO = '/usr/bin/cargo'
const LINKER = ['sbpf-linker@0.2.6', '--locked', '--no-default-features']

const cargoBin = join(process.env['CARGO_HOME'] ?? join(homedir(), '.cargo'), 'bin')
const withCargoBin = () => ({
  ...process.env,
  PATH: `${process.env['PATH'] ?? ''}${delimiter}${cargoBin}`,
})

function lines(command: string, args: readonly string[]): string {
  const { found, code, output } = run(command, args, { env: withCargoBin() })
  return found && code === 0 ? output.trim().split('\n').join('; ') : ABSENT
}

/** The value in the line of `rustc -vV` that starts with this label. */
const rustcSays = (label: string) =>
  new RegExp(`(?:^|; )${label}: ([^;]+)`).exec(lines(RUSTC, ['-vV']))?.[1] ?? ABSENT

/**
 * The version of the package with the standard library's sources. No command reports the version of the standard
 * library that is compiled into the program.
 */
function rustSource(): string {
  const sysroot = lines(RUSTC, ['--print', 'sysroot'])
  const source = join(sysroot, 'lib/rustlib/src/rust/library/core/Cargo.toml')
  if (sysroot === ABSENT || !existsSync(source)) return ABSENT
  return installedVersion('rust-web-src') ?? 'not from a package'
}

const debian: Builder = {
  name: 'debian',
  readToolchain: () => ({
    rustc: rustcSays('release'),
    'rustc commit': rustcSays('commit-hash'),
    'rustc LLVM': rustcSays('LLVM version'),
    'standard library source': rustSource(),
    cargo: lines(CARGO, ['--version']),
    LLVM: lines(`${LLVM}/bin/llvm-config`, ['--version']),
    'sbpf-linker': lines('sbpf-linker', ['--version']),
  }),
  install: () => {
    if (!run('apt-get', ['--version']).found) return 'there is no apt-get here'
    if (process.getuid?.() !== 0) return 'installing packages needs root'
    if (!installPackages()) {
      return 'apt-get could not install the packages; their exact versions exist only for Debian 12'
    }
    return lines('sbpf-linker', ['--version']) === ABSENT ? installLinker() : undefined
  },
  build: (folder) => {
    const env = { ...withCargoBin(), RUSTC, CARGO, CARGO_TARGET_DIR: join(folder, 'target') }
    const built = run('bash', [join(folder, 'build.sh')], { env, isShown: true })
    if (built.code !== 0) throw new Error('build.sh failed; its output is above')
    return join(folder, 'artefacts/sotto_program.so')
  },
}

function installLinker(): string | undefined {
  console.error(`Installing ${LINKER[0] ?? ''} by cargo; this takes a minute or two.`)
  const env = {
    ...process.env,
    RUSTC,
    LLVM_PREFIX: LLVM,
    LLVM_SYS_221_PREFIX: LLVM,
    RUSTFLAGS: `-L native=${LLVM}/lib`,
  }
  const args = ['install', ...LINKER, '--features', 'bpf-linker/llvm-22']
  const { code } = run(CARGO, args, { env, isShown: true })
  return code === 0 ? undefined : 'cargo could not install sbpf-linker; its output is above'
}

const sbf: Builder = {
  name: 'sbf',
  readToolchain: () => ({ 'cargo build-sbf': lines('cargo', ['build-sbf', '--version']) }),
  install: () =>
    'cargo build-sbf comes with the Solana command line tools: https://docs.anza.xyz/cli/install',
  build: (folder) => {
    const out = join(folder, 'out')
    const args = ['build-sbf', '--sbf-out-dir', out, '--', '--locked']
    const built = run('cargo', args, { cwd: folder, env: withCargoBin(), isShown: true })
    if (built.code !== 0) throw new Error('cargo build-sbf failed; its output is above')
    return join(out, 'sotto_program.so')
  },
}

export const BUILDERS: Readonly<Record<BuilderName, Builder>> = { debian, sbf }

/** The builder with this name; undefined if there is none. */
export function findBuilder(name: string): Builder | undefined {
  return Object.values(BUILDERS).find((builder) => builder.name === name)
}
