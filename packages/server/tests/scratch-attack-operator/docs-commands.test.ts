import { readFileSync } from 'node:fs'
import { execSync } from 'node:child_process'
import { it } from 'vitest'
import { buildProgram } from '../../src/operator/build-program.ts'
const root = new URL('../../../../', import.meta.url).pathname
it('commands', async () => {
  const found = new Map<string, string>()
  for (const f of execSync(`find ${root}docs ${root}README.md -name '*.md'`)
    .toString()
    .trim()
    .split('\n')) {
    const text = readFileSync(f, 'utf8').replace(/\\\n\s*/g, ' ')
    for (const m of text.matchAll(
      /(?:sotto-server|sotto-server\.mjs|\boperator|worker-1|api-1) ((?:--json )?[a-z][^`\n|]*)/g,
    )) {
      const c = m[1]!
        .replace(/ >.*/, '')
        .replace(/\s*\)$/, '')
        .trim()
      if (!found.has(c)) found.set(c, f.replace(root, ''))
    }
    for (const m of text.matchAll(
      /`((?:pool|asset|account|key|fee-recipient|rebuild|leaves|relayer|authoriser|inventory|fees|webhook|order|migrate|transaction|config|capital|batch|serve) ?[a-z-]*[^`]*)`/gs,
    )) {
      const c = m[1]!.replace(/\s+/g, ' ').trim()
      if (!found.has(c)) found.set(c, f.replace(root, ''))
    }
  }
  for (const [command, f] of found) {
    const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)]
      .map((m) => m[1] ?? m[2]!)
      .map((a) =>
        /^(\$?[A-Z_]{3,}\$?|"?\$.*|<[^>]*>)$/.test(a) ? '11111111111111111111111111111112' : a,
      )
    const p = buildProgram(
      () => async () => undefined,
      () => ({}) as never,
    )
    const fix = (c: any) => {
      c.exitOverride()
      c.configureOutput({ writeErr: () => 0, writeOut: () => 0 })
      c.commands.forEach(fix)
    }
    fix(p)
    try {
      await p.parseAsync(args, { from: 'user' })
    } catch (e: any) {
      if (e.code === 'commander.help' || e.code === 'commander.helpDisplayed') continue
      console.log(`${f}: ${command} -> ${String(e.message).slice(0, 140)}`)
    }
  }
})
