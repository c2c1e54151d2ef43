import fc, { type Arbitrary } from 'fast-check'

const DEEP = 20_000
const HUGE = 70_000

/**
 * The bytes of a broken JSON text. Most of its errors, such as a cut or a repeated member, exist only in text, not in
 * parsed values.
 */
export function brokenText(text: string): Arbitrary<Uint8Array> {
  const bytes = Buffer.from(text)
  const first = /^\{("(?:[^"\\]|\\.)*"):/.exec(text)?.[1] ?? '"amount"'
  return fc.oneof(
    // Cuts off the text, possibly in the middle of a character.
    fc.nat(Math.max(bytes.length - 1, 0)).map((size) => bytes.subarray(0, size)),
    fc
      .constantFrom(
        text.replace('{', `{${first}:"1",`),
        text.replace(
          '{',
          `{${first.replace(/^"(.)/, (_all, one: string) => `"\\u00${hex(one)}`)}:1,`,
        ),
        text.replace(/\}$/, ',}'),
        text.replaceAll('"', "'"),
        `${text}${text}`,
        `\ufeff${text}`,
        `/* */${text}`,
        text.replace(/:"?[0-9]+"?/, ':1e999'),
        text.replace(/:"?[0-9]+"?/, ':12345678901234567890123'),
        text.replace(/:"?[0-9]+"?/, ':-0'),
        text.replace(/:"/, ':"\\ud800'),
        text.replace(/:"/, ':"\\x'),
        text.replace(/:"/, ':"\n'),
        `[${text}]`,
        'null',
        '"text"',
        '0',
        'NaN',
        '{',
        '',
        '   ',
        '['.repeat(DEEP),
        `${'{"a":'.repeat(DEEP / 10)}1${'}'.repeat(DEEP / 10)}`,
        `{"a":${'['.repeat(17)}${']'.repeat(17)}}`,
        `{${first}:"${'9'.repeat(HUGE)}"}`,
        ' '.repeat(HUGE) + text,
      )
      .map((one) => Buffer.from(one)),
    // Invalid UTF-8, and UTF-16.
    fc.constantFrom(
      Buffer.concat([bytes.subarray(0, -2), Buffer.from([0xff, 0xfe]), bytes.subarray(-2)]),
      Buffer.from(text, 'utf16le'),
    ),
    fc.uint8Array({ maxLength: 200 }),
  )
}

const hex = (one: string): string => one.charCodeAt(0).toString(16).padStart(2, '0')
