import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'

const run = promisify(execFile)
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const GENERATOR = join(ROOT, 'node_modules/openapi-typescript/bin/cli.js')
const COMPILER = join(ROOT, 'node_modules/typescript/bin/tsc')

let stack: HttpStack
let folder: string
/** The example program on the page for partners. */
let sample: string

beforeAll(async () => {
  stack = await startHttpStack()
  folder = await mkdtemp(join(tmpdir(), 'sotto-client-'))
  // A partner would have installed these packages in the folder.
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const config = { extends: join(ROOT, 'tsconfig.base.json'), include: ['*.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const page = await readFile(join(ROOT, 'docs/clients.md'), 'utf8')
  sample = /```ts\n([^]*?)```/.exec(page)![1]!
  await run(process.execPath, [GENERATOR, `${stack.baseUrl}/openapi.json`, '-o', 'sotto.ts'], {
    cwd: folder,
  })
})
afterAll(async () => {
  await stack.close()
  await rm(folder, { recursive: true })
})

/** Mistakes that a partner might make in the example program. */
const SLIPS = [
  ['a misspelt member', "amount: '1000000000'", "amout: '1000000000'"],
  ['an amount that is not a text', "amount: '1000000000'", 'amount: 1000000000'],
  ['a code that the operation does not have', "'AMOUNT_OUT_OF_RANGE'", "'ORDER_EXPIRED'"],
] as const

it('the compiler refuses only the variants of the program that have a mistake', async () => {
  await writeFile(join(folder, 'sample.ts'), sample)
  for (const [index, [, right, wrong]] of SLIPS.entries()) {
    expect(sample).toContain(right)
    await writeFile(join(folder, `slip-${index}.ts`), sample.replace(right, wrong))
  }
  const said = await run(process.execPath, [COMPILER, '--noEmit'], { cwd: folder }).then(
    () => '',
    (failed: { stdout: string }) => failed.stdout,
  )
  const files = [...said.matchAll(/^(\S+\.ts)\(\d+,\d+\): error/gm)].map(([, file]) => file)
  expect([...new Set(files)].sort()).toEqual(SLIPS.map((_, index) => `slip-${index}.ts`))
})

it('the program quotes, orders and reads the status', async () => {
  await writeFile(join(folder, 'sample.ts'), sample)
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'sample.ts'], {
    cwd: folder,
    env: {
      ...process.env,
      SOTTO_URL: stack.baseUrl,
      SOTTO_API_KEY: stack.apiKey,
      SENDER: stack.sender.address,
      RECIPIENT: makeWallet().address,
    },
  })
  const { transaction, order } = JSON.parse(stdout) as {
    transaction: string
    order: { status: string; amountIn: string }
  }
  expect(order).toMatchObject({ status: 'awaiting_deposit', amountIn: '1000000000' })
  expect(Buffer.from(transaction, 'base64').length).toBeGreaterThan(200)
})
