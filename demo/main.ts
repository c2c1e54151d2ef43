import { Command } from 'commander'
import { runDemo } from './src/run-demo.ts'

const program = new Command('npm run demo --')
  .description('Runs real private transfers on an embedded chain and checks every balance.')
  .option('--json', 'print one JSON report and nothing else')
  .option('--keep', 'keep the folder with chain, database and keys, and print where it is')

program.parse()
const options = program.opts<{ json?: boolean; keep?: boolean }>()
try {
  process.exitCode = await runDemo({ json: options.json ?? false, keep: options.keep ?? false })
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`\nThe demo failed: ${message}\n`)
  process.exitCode = 1
}
