/**
 * `npm run program:verify`: builds the program from its sources in a temporary folder and compares its hash with the
 * recorded hash. Exit codes: 0 for the same bytes, 1 for a different hash, 3 if the build failed, 64 for a wrong
 * command line. The exit code is 2 if the toolchain is missing, if it differs from the recorded toolchain, or if no
 * build is recorded.
 *
 *   --builder debian|sbf   Debian's compiler, which made the committed program, or cargo build-sbf
 *   --record               records this build instead of comparing
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ABSENT, BUILDERS, findBuilder, type Builder, type Toolchain } from './verify/builders.ts'
import { readRecordedBuilds, recordBuild, sha256Of } from './verify/recorded-builds.ts'
import { hashVerdict, toolchainVerdict, type Verdict } from './verify/verdict.ts'

const PROGRAM = fileURLToPath(new URL('.', import.meta.url))
const COMMITTED = join(PROGRAM, 'artefacts/sotto_program.so')
/** All files that the build reads, relative to `program/`. */
const SOURCES = ['build.sh', 'Cargo.toml', 'Cargo.lock', 'sbpf-target.json', 'src']

const missing = (toolchain: Toolchain) =>
  Object.entries(toolchain).flatMap(([name, version]) => (version === ABSENT ? [name] : []))

/**
 * Installs missing parts of the builder's toolchain. Returns the toolchain, or a verdict if the build is impossible.
 */
function prepare(builder: Builder): Toolchain | Verdict {
  const before = builder.readToolchain()
  if (missing(before).length === 0) return before
  const obstacle = builder.install()
  const after = builder.readToolchain()
  const absent = missing(after)
  if (absent.length === 0) return after
  const reason = obstacle ?? 'the installation succeeded, but the tool is still not found'
  return { code: 2, text: `Not installed here: ${absent.join(', ')}: ${reason}.` }
}

/** Builds from a copy of the sources. Returns the SHA-256 of the program. */
function rebuild(builder: Builder): string {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-verify-'))
  try {
    for (const name of SOURCES) {
      cpSync(join(PROGRAM, name), join(folder, name), { recursive: true })
    }
    return sha256Of(builder.build(folder))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function verify(builder: Builder, isRecording: boolean): Verdict {
  const recorded = readRecordedBuilds()[builder.name]
  const toolchain = prepare(builder)
  if ('code' in toolchain) return toolchain as Verdict
  if (isRecording) {
    const sha256 = rebuild(builder)
    recordBuild(builder.name, { toolchain, sha256 })
    return { code: 0, text: `Recorded for ${builder.name}: ${sha256}` }
  }
  if (recorded === undefined) {
    const text = `No build by "${builder.name}" is on record, so there is nothing to compare with.`
    return { code: 2, text: `${text}\n  rebuilt   ${rebuild(builder)}` }
  }
  const differs = toolchainVerdict(recorded.toolchain, toolchain)
  if (differs !== undefined) return differs
  const committed = builder.name === 'debian' ? sha256Of(COMMITTED) : undefined
  return hashVerdict(recorded, rebuild(builder), committed)
}

function main(): Verdict {
  const asked = readCommandLine()
  if ('code' in asked) return asked
  try {
    return verify(asked.builder, asked.isRecording)
  } catch (error) {
    return { code: 3, text: `The program could not be built: ${messageOf(error)}.` }
  }
}

function readCommandLine(): { builder: Builder; isRecording: boolean } | Verdict {
  try {
    const { values } = parseArgs({
      options: {
        builder: { type: 'string', default: 'debian' },
        record: { type: 'boolean', default: false },
      },
    })
    const builder = findBuilder(values.builder)
    if (builder !== undefined) return { builder, isRecording: values.record }
    const names = Object.keys(BUILDERS).join(', ')
    return { code: 64, text: `There is no builder "${values.builder}". The builders are ${names}.` }
  } catch (error) {
    return { code: 64, text: messageOf(error) }
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

const { code, text } = main()
console.log(text)
process.exitCode = code
