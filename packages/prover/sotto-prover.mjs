// SPDX-License-Identifier: GPL-3.0-only
//
// Proves settlements: one JSON request per line on standard input, one JSON answer per line on standard output, in
// order. README.md describes both. The program is plain JavaScript, so that Node can run it directly.
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { loadArtefacts } from './src/artefacts.mjs'
import { silenceLibraries } from './src/silence-libraries.mjs'
import { ENGINES, startProving } from './src/prove-settlement.mjs'
import { answerInOrder } from './src/answer-in-order.mjs'
import { answerWith } from './src/answer-line.mjs'

silenceLibraries()

const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`)

/** Reports a fault that makes proofs slower but doesn't prevent them. */
function reportFault(fault) {
  const remedy =
    'Proofs are now made with settle.wasm, which is slower. If this recurs after a restart, install the prover again.'
  process.stderr.write(`sotto-prover: ${fault}. ${remedy}\n`)
}

// The parent process has closed this output, so no process would read further answers.
process.stdout.on('error', () => process.exit(1))

try {
  const { values } = parseArgs({
    options: { artefacts: { type: 'string' }, engine: { type: 'string' } },
  })
  if (values.engine !== undefined && !ENGINES.includes(values.engine)) {
    throw new Error(`--engine must be one of ${ENGINES.join(', ')}.`)
  }
  const folder = values.artefacts ?? fileURLToPath(new URL('./artefacts', import.meta.url))
  const artefacts = await loadArtefacts(folder)
  const { engine, atOnce, prove } = await startProving(artefacts, values.engine, reportFault)
  const { development, vkeyHash } = artefacts
  write({ ready: true, development, vkeyHash, engine, atOnce })
  const lines = createInterface({ input: process.stdin })
  await answerInOrder(lines, atOnce, answerWith(prove), write)
} catch (error) {
  // Only the artefacts and the command line can cause an error here, and these errors contain no input.
  process.stderr.write(`sotto-prover: ${error.message}\n`)
  process.exitCode = 1
}
