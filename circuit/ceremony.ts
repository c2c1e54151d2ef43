// The ceremony that makes a key for real funds. docs/runbooks/ceremony.md describes the steps of each party.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import type { BeaconSource } from './ceremony/beacon-source.ts'
import { closePhase } from './ceremony/close-phase.ts'
import { contribute } from './ceremony/contribute.ts'
import { assertExtends } from './ceremony/extends.ts'
import { finaliseCeremony } from './ceremony/finalise.ts'
import { openIdentity } from './ceremony/identity.ts'
import { preparePhase2 } from './ceremony/prepare-phase2.ts'
import { reportBeaconDue, reportCeremony, reportContribution } from './ceremony/report.ts'
import { findShortcomings } from './ceremony/requirements.ts'
import { type Beginning, startCeremony } from './ceremony/start-ceremony.ts'
import { readTranscript } from './ceremony/transcript-file.ts'
import { verifyCeremony } from './ceremony/verify-ceremony.ts'
import { compileCircuit } from './compile.ts'
import { ARTEFACTS, CIRCUIT, WORK } from './manifest.ts'
import { POWER } from './powers-of-tau.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

const USAGE = `\
npx tsx circuit/ceremony.ts start       --folder F [--power 14 | --ptau FILE --hash HEX --source URL]
npx tsx circuit/ceremony.ts contribute  --folder F --name NAME --identity KEYFILE [--entropy FILE]
npx tsx circuit/ceremony.ts beacon      --folder F (--drand ROUND --signature HEX
                                                   | --bitcoin HEIGHT --header HEX | --rehearsal)
npx tsx circuit/ceremony.ts prepare     --folder F
npx tsx circuit/ceremony.ts verify      --folder F [--so-far] [--extends TRANSCRIPT]
npx tsx circuit/ceremony.ts finalise    --folder F [--out FOLDER] [--rehearsal]
docs/runbooks/ceremony.md describes the steps of each party.`

const readArguments = () =>
  parseArgs({
    allowPositionals: true,
    options: {
      ...{ folder: text, power: text, ptau: text, hash: text, source: text },
      ...{ name: text, identity: text, entropy: text },
      ...{ drand: text, signature: text, bitcoin: text, header: text, rehearsal: flag },
      ...{ 'so-far': flag, extends: text, out: text, help: flag },
    },
  })

let values: ReturnType<typeof readArguments>['values']

const say = (lines: string[]) => void process.stdout.write(`${lines.join('\n')}\n`)

/** The value of a required option. */
function need(name: Exclude<keyof typeof values, 'so-far' | 'rehearsal' | 'help'>): string {
  const value = values[name]
  if (value === undefined) throw new Error(`--${name} is missing.`)
  return value
}

function beginning(): Beginning {
  if (values.ptau === undefined) return { power: Number(values.power ?? POWER) }
  return { path: values.ptau, hash: need('hash').toLowerCase(), source: need('source') }
}

function beaconSource(): BeaconSource {
  if (values.rehearsal) return { kind: 'private', hex: randomBytes(32).toString('hex') }
  if (values.drand !== undefined) {
    return { kind: 'drand', round: Number(values.drand), signature: need('signature') }
  }
  return { kind: 'bitcoin', height: Number(need('bitcoin')), header: need('header') }
}

/** The minimum length of the participant's own entropy. This limit only catches input that was forgotten or cut off. */
const ENTROPY_MIN = 16

/**
 * The participant's own entropy, from a file or the keyboard. An argument on the command line would be visible to other
 * users of the machine.
 *
 * @throws Error if the participant gives too little entropy, because the contribution would then rely on the system's
 *   random generator alone.
 */
async function ownEntropy(): Promise<string> {
  const given =
    values.entropy === undefined ? Buffer.from(await typed()) : await readFile(values.entropy)
  if (given.toString('latin1').trim().length >= ENTROPY_MIN) return given.toString('base64')
  throw new Error(`Your own entropy must have at least ${ENTROPY_MIN} characters or bytes.`)
}

async function typed(): Promise<string> {
  if (!process.stdin.isTTY) {
    throw new Error('There is no terminal to type your own entropy: give it with --entropy FILE.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const line = await terminal.question(
    'Press keys at random, or type the numbers of thrown dice, then press Enter: ',
  )
  terminal.close()
  return line
}

/** The commands. Each command compiles the circuit from its source, so it relies on no earlier compilation. */
const commands: Record<string, (folder: string) => Promise<void>> = {
  start: async (folder) => {
    const { r1cs } = await compileCircuit(CIRCUIT, WORK)
    say(reportCeremony(await startCeremony(folder, r1cs, beginning())))
  },
  contribute: async (folder) => {
    const [name, keyFile] = [need('name'), need('identity')]
    const entropy = await ownEntropy()
    const identity = await openIdentity(keyFile)
    const { r1cs } = await compileCircuit(CIRCUIT, WORK)
    const made = await contribute(folder, r1cs, { name, identity, entropy }, new Date())
    say([...reportContribution(made), '', ...reportBeaconDue(made)])
  },
  beacon: async (folder) => {
    const { r1cs } = await compileCircuit(CIRCUIT, WORK)
    const made = await closePhase(folder, r1cs, beaconSource())
    say([`Phase ${made.phase} is closed: ${made.file}, contribution ${made.hash}`])
  },
  prepare: async (folder) => {
    const { r1cs } = await compileCircuit(CIRCUIT, WORK)
    const made = await preparePhase2(folder, r1cs)
    say([`Phase 2 is open: ${made.keyFile}, SHA-256 ${made.keySha256}`])
  },
  verify: async (folder) => {
    const { r1cs } = await compileCircuit(CIRCUIT, WORK)
    const transcript = await verifyCeremony(folder, r1cs)
    if (values.extends !== undefined)
      assertExtends(transcript, await readTranscript(values.extends))
    say(reportCeremony(transcript))
    if (!values['so-far'] && findShortcomings(transcript).length > 0) process.exitCode = 1
  },
  finalise: async (folder) => {
    const { r1cs, wasm } = await compileCircuit(CIRCUIT, WORK)
    const artefacts = resolve(values.out ?? ARTEFACTS)
    const options = { r1cs, wasm, artefacts, rehearsal: values.rehearsal }
    say(reportCeremony(await finaliseCeremony(folder, options)))
  },
}

async function runCommand(): Promise<void> {
  const { values: given, positionals } = readArguments()
  values = given
  if (values.help) {
    say([USAGE])
    return
  }
  const [name = ''] = positionals
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) throw new Error(`Commands: ${Object.keys(commands).join(', ')}.`)
  await command(resolve(need('folder')))
}

try {
  await runCommand()
} catch (error) {
  process.stderr.write(`ceremony: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
// The process is ended here, because snarkjs keeps its worker threads alive.
process.exit()
