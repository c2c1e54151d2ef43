/**
 * Answers each line and writes the answers in the lines' order. Reads a line only while fewer than `atOnce` earlier
 * lines are unanswered, and resolves after the last answer.
 *
 * @param {AsyncIterable<string>} lines
 * @param {number} atOnce
 * @param {(line: string) => Promise<object>} answer never rejects
 * @param {(answer: object) => void} write
 */
export async function answerInOrder(lines, atOnce, answer, write) {
  const turns = []
  let last = Promise.resolve()
  for await (const line of lines) {
    last = Promise.all([answer(line), last]).then(([answered]) => write(answered))
    turns.push(last)
    if (turns.length >= atOnce) await turns.shift()
  }
  await last
}
