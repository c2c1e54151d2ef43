import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinLimits, limitsIn, readLimitsFile } from './limits.ts'

const WALLET = 'So11111111111111111111111111111111111111112'
const SOME = { maxPayment: '0.5', maxDay: '2' }

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'limits-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function fileOf(text: string, mode = 0o600): Promise<string> {
  const path = join(folder, `${crypto.randomUUID()}.json`)
  await writeFile(path, text)
  await chmod(path, mode)
  return path
}

describe('limits', () => {
  it('are exact in base units, and require a confirmation of every payment by default', () => {
    expect(limitsIn(joinLimits(SOME, {}), 9)).toEqual({
      ...{ maxPayment: 500_000_000n, maxDay: 2_000_000_000n, confirmAbove: 0n },
      ...{ confirm: 'client', recipients: undefined },
    })
  })

  it('come from a file, from options, or from both', async () => {
    const file = { maxDay: '2', confirmAbove: '0.1', confirm: 'terminal', recipients: [WALLET] }
    const read = await readLimitsFile(await fileOf(JSON.stringify(file)))
    expect(limitsIn(joinLimits({ maxPayment: '0.000001' }, read), 6)).toEqual({
      ...{ maxPayment: 1n, maxDay: 2_000_000n, confirmAbove: 100_000n },
      ...{ confirm: 'terminal', recipients: new Set([WALLET]) },
    })
  })

  it.each([
    ['LIMITS_MISSING', {}, {}],
    ['LIMITS_MISSING', { maxPayment: '1' }, {}],
    ['LIMITS_MISSING', {}, { maxDay: '1' }],
    ['LIMITS_INVALID', SOME, { maxDay: '3' }],
    ['LIMITS_INVALID', { ...SOME, recipients: ['someone'] }, {}],
  ])('are refused as %s: options %j, file %j', (code, options, file) => {
    expect(() => joinLimits(options, file)).toThrow(expect.objectContaining({ code }) as Error)
  })

  it.each(['1e9', '-1', ' 1', '1,5', '0.0000001', ''])('are refused if one is %j', (maxDay) => {
    const code = 'LIMITS_INVALID'
    const refused = expect.objectContaining({ code }) as Error
    expect(() => limitsIn(joinLimits({ ...SOME, maxDay }, {}), 6)).toThrow(refused)
  })

  it('are refused if others may access their file, or if the file has unknown members', async () => {
    const good = JSON.stringify(SOME)
    const refused: readonly (readonly [string, string])[] = [
      ['LIMITS_EXPOSED', await fileOf(good, 0o644)],
      ['LIMITS_EXPOSED', await fileOf(good, 0o620)],
      ['LIMITS_INVALID', await fileOf('{')],
      ['LIMITS_INVALID', await fileOf('{"maxPayment":1,"maxDay":2}')],
      ['LIMITS_INVALID', await fileOf('{"maxPayment":"1","maxDay":"2","maxWeek":"9"}')],
      ['LIMITS_INVALID', await fileOf('{"maxPayment":"1","maxDay":"2","recipients":[]}')],
      ['LIMITS_MISSING', join(folder, 'missing.json')],
    ]
    for (const [code, path] of refused) {
      await expect(readLimitsFile(path)).rejects.toMatchObject({ code })
    }
  })
})
