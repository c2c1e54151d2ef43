import { expect, it } from 'vitest'
import { isShown } from './compare-output.ts'
import { readPage } from './read-page.ts'

it.each([
  ['equal output', 'a\nb\n', 'a\nb\n', true],
  ['another word', 'a\nb\n', 'a\nc\n', false],
  ['an additional line', 'a\n', 'a\nb\n', false],
  ['a missing line', 'a\nb\n', 'a\n', false],
  ['a variable part', 'key …, kept\n', 'key 17, kept\n', true],
  ['another end after a variable part', 'key …, kept\n', 'key 17, lost\n', false],
  ['text that matches only as a regular expression', 'a.c (1)\n', 'abc (1)\n', false],
  ['variable lines', '…\nend\n', 'one\n\ntwo\nend\n', true],
  ['another end after variable lines', '…\nend\n', 'one\nend of it\n', false],
])('compares %s', (_, shown, printed, isSame) => {
  expect(isShown(shown, printed)).toBe(isSame)
})

const page = (block: string) => `Write it to \`a.mjs\`:\n\n\`\`\`${block}\n1\n\`\`\`\n`

it('reads every block as a step', () => {
  expect(readPage(page('js a.mjs'))).toEqual([
    { kind: 'write', line: 3, text: '1\n', file: 'a.mjs' },
  ])
  expect(readPage(page('csv a.mjs'))).toMatchObject([{ kind: 'write', file: 'a.mjs' }])
  expect(readPage(page('sh server'))).toMatchObject([{ kind: 'serve' }])
  expect(() => readPage(page('js b.mjs'))).toThrow('the text before it does not name b.mjs')
  expect(() => readPage(page('js'))).toThrow('unsupported kind of block')
})
