import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from './open-cluster.ts'
import { parseOptions, type Options } from './options.ts'
import { describeReport, type Report } from './report.ts'
import { runDrills } from './run-drills.ts'
import { runRestore } from './run-restore.ts'

type Say = (text: string) => void

async function runLive(folder: string, options: Options, say: Say): Promise<Report> {
  say('Starting two APIs, two workers, PostgreSQL, a chain and a balancer')
  const cluster = await openCluster({ folder })
  try {
    return await runDrills(cluster, options, say)
  } finally {
    await cluster.close()
  }
}

async function run(options: Options): Promise<0 | 1> {
  const { json, seed, drill } = options
  const say: Say = (text) => void (json || process.stdout.write(`${text}\n`))
  say(`The seed is ${seed}`)
  const folder = await mkdtemp(join(tmpdir(), 'sotto-replicas-'))
  let isGood = false
  try {
    const work = drill.includes('restore') ? runRestore : runLive
    const report = await work(folder, options, say)
    process.stdout.write(`${json ? JSON.stringify(report) : describeReport(report)}\n`)
    isGood = report.violations.length === 0
  } finally {
    if (isGood) await rm(folder, { recursive: true, force: true })
    else process.stderr.write(`The logs of the service are in ${folder}\n`)
  }
  return isGood ? 0 : 1
}

async function main(): Promise<0 | 1> {
  try {
    return await run(parseOptions(process.argv.slice(2)))
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`\nThe run failed: ${message}\n`)
    return 1
  }
}

const code = await main()
// After a failed run, some users may still send requests to the stopped service. So the process is ended here.
process.stdout.write('', () => process.exit(code))
