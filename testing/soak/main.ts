import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BRISK, SLOT_MS } from '../stage/brisk-settings.ts'
import { openStage } from '../stage/open-stage.ts'
import { openValidatorChain } from '../stage/validator-chain.ts'
import { parseOptions, type Options } from './options.ts'
import { runSoak } from './run-soak.ts'
import { describeReport } from './soak-report.ts'

const WORKERS = 2
const SETTINGS = { ...BRISK, SOTTO_LOG_LEVEL: 'info' } as const
/**
 * The shortest allowed time for paying an order. On a chain whose time can't be advanced, a run waits until unpaid
 * orders expire.
 */
const UNADVANCED = { SOTTO_ORDER_SECONDS: '300' } as const

async function run(options: Options): Promise<0 | 1> {
  const { seed, json } = options
  if (!json) process.stdout.write(`Starting the service; the seed is ${seed}\n`)
  const folder = await mkdtemp(join(tmpdir(), 'sotto-soak-'))
  const stage = await openStage({
    folder,
    seed,
    workers: WORKERS,
    slotMs: SLOT_MS,
    ...(options.validator
      ? { openChain: openValidatorChain, settings: { ...SETTINGS, ...UNADVANCED } }
      : { settings: SETTINGS }),
  })
  try {
    const report = await runSoak(stage, options, (ended) => {
      if (process.stderr.isTTY) process.stderr.write(`\r${ended} orders have ended `)
    })
    if (process.stderr.isTTY) process.stderr.write('\n')
    process.stdout.write(`${json ? JSON.stringify(report) : describeReport(report)}\n`)
    const isGood = report.violations.length === 0
    if (isGood) await rm(folder, { recursive: true, force: true })
    else process.stderr.write(`The logs of the service are in ${folder}\n`)
    return isGood ? 0 : 1
  } catch (error) {
    process.stderr.write(`The logs of the service are in ${folder}\n`)
    throw error
  } finally {
    await stage.close()
  }
}

async function main(): Promise<0 | 1> {
  try {
    return await run(parseOptions(process.argv.slice(2)))
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`\nThe soak failed: ${message}\n`)
    return 1
  }
}

const code = await main()
// After a failed run, some users may still send requests to the stopped service. So the process is ended here.
process.stdout.write('', () => process.exit(code))
