import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const SCRIPT = fileURLToPath(new URL('remember-wallets.ts', import.meta.url))

// The script searches the heap of its own process, because the test runner's heap is large.
it('the process forgets quoted wallets after a day, even without further requests', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', SCRIPT])
  expect(JSON.parse(stdout)).toEqual({ before: [true, true], after: [false, false] })
})
