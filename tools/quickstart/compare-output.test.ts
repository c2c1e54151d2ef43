import { expect, it } from 'vitest'
import { isShown } from './compare-output.ts'
import { readPage } from './read-page.ts'

it.each([
  ['the same', 'a\nb\n', 'a\nb\n', true],
  ['another word', 'a\nb\n', 'a\nc\n', false],
  ['a line more', 'a\n', 'a\nb\n', false],
  ['a line less', 'a\nb\n', 'a\n', false],
  ['a part that differs each time', 'key …, kept\n', 'key 17, kept\n', true],
  ['another end of it', 'key …, kept\n', 'key 17, lost\n', false],
  ['what else a part could mean', 'a.c (1)\n', 'abc (1)\n', false],
  ['lines that differ each time', '…\nend\n', 'one\n\ntwo\nend\n', true],
  ['lines that end in another way', '…\nend\n', 'one\nend of it\n', false],
])('compares %s', (_, shown, printed, isSame) => {
  expect(isShown(shown, printed)).toBe(isSame)
})

const page = (block: string) => `Write it to \`a.mjs\`:\n\n\`\`\`${block}\n1\n\`\`\`\n`

it('reads every block as a step, and refuses an impossible one', () => {
  expect(readPage(page('js a.mjs'))).toEqual([
    { kind: 'write', line: 3, text: '1\n', file: 'a.mjs' },
  ])
  expect(readPage(page('sh server'))).toMatchObject([{ kind: 'serve' }])
  expect(() => readPage(page('js b.mjs'))).toThrow('nothing says that this goes into b.mjs')
  expect(() => readPage(page('js'))).toThrow('unsupported kind of block')
})
