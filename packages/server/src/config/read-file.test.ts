import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettingsFile } from './read-file.ts'

function read(content: string) {
  const path = join(mkdtempSync(join(tmpdir(), 'sotto-settings-')), 'sotto.toml')
  writeFileSync(path, content)
  return readSettingsFile(path)
}

const SOL = 'So11111111111111111111111111111111111111112'

it('a table may have the name of a setting', () => {
  expect(read('[prices]\nfile = "/etc/p.json"\nfile_age_seconds = 60')).toEqual({
    PRICES_FILE: '/etc/p.json',
    PRICES_FILE_AGE_SECONDS: '60',
  })
  expect(read('[screener]\nurl = "https://a.test"\ntimeout_ms = 500')).toEqual({
    SCREENER_URL: 'https://a.test',
    SCREENER_TIMEOUT_MS: '500',
  })
  expect(read('rpc_url = "http://a.test"\n[rpc.url]\nfile = "/run/url"')).toEqual({
    RPC_URL: 'http://a.test',
    RPC_URL_FILE: '/run/url',
  })
})

it('a setting that has a value for each mint may be given as a table', () => {
  expect(read(`[pyth]\nfeeds = { ${SOL} = "ab" }\n[inventory.targets]\n${SOL} = "100%"`)).toEqual({
    PYTH_FEEDS: `${SOL}=ab`,
    INVENTORY_TARGETS: `${SOL}=100%`,
  })
  expect(read(`[pyth.feeds]\n${SOL} = "ab"`)).toEqual({ PYTH_FEEDS: `${SOL}=ab` })
})
