import { expect, it } from 'vitest'
import { openOutput } from './output.ts'
import { fieldsTable, rowsTable } from './table.ts'

// A symbol that moves the cursor up a line, erases that line, and writes a different amount there. Then it adds a
// line.
const SYMBOL = 'SOL\u001b[1A\u001b[2K\rpays 0.1\npays 0.2\u202e\u009b1A'
const commands = new RegExp('[^\\P{C}\\n]', 'u')
/** The command's own colour codes: red, green, and reset. */
const withoutColours = (text: string) => text.replaceAll(/.\[3[129]m/gu, '')

it('prevents a service from overwriting other text on the terminal', () => {
  const fields = fieldsTable([['pays', `1.5 ${SYMBOL}`]])
  expect(fields.split('\n')).toHaveLength(1)
  const rows = rowsTable(['', 'symbol'], [['\u001b[32mok\u001b[39m', SYMBOL]])
  expect(rows.split('\n')).toHaveLength(2)
  expect(rows).toContain('\u001b[32mok\u001b[39m')
  expect(withoutColours(rows)).not.toMatch(commands)
  const written: string[] = []
  const stream = { isTTY: true, write: (text: string) => written.push(text) }
  const output = openOutput({}, { stdout: stream, stderr: stream, stdin: stream })
  output.failure({ code: 'X', message: SYMBOL, next: SYMBOL, exitCode: 1 })
  expect(withoutColours([fields, ...written].join(''))).not.toMatch(commands)
})
