import { parseOptions, type Options } from './options.ts'
import type { Line } from './report/line.ts'
import { renderTable } from './report/table.ts'
import { SUITES } from './suites.ts'

async function run({ suites, json, quick, only }: Options): Promise<0 | 1> {
  const progress = (text: string) => void process.stderr.write(`${text}\n`)
  const wants = (name: string) => name.includes(only)
  const lines: Line[] = []
  for (const name of suites) {
    const suite = await SUITES[name]?.()
    if (suite === undefined) throw new Error(`there is no suite ${name}`)
    progress(`${name}: ${suite.measures}`)
    lines.push(...(await suite.run({ quick, progress, wants })))
  }
  process.stdout.write(`${json ? JSON.stringify(lines, null, 2) : renderTable(lines)}\n`)
  // A run that measured nothing must not look like success.
  return lines.length > 0 && lines.every(({ ok }) => ok) ? 0 : 1
}

const explain = (error: unknown): string =>
  error instanceof Error
    ? error.message + (error.cause === undefined ? '' : `\n${explain(error.cause)}`)
    : String(error)

try {
  process.exitCode = await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`\nThe benchmark failed: ${explain(error)}\n`)
  process.exitCode = 1
}
