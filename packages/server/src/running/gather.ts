/**
 * Greatest number of questions in progress. With only one question, a question that hangs would delay all callers. With
 * many questions, few callers would share a question.
 */
const UNDER_WAY_MAX = 4

interface Asked<Key, Answer> {
  readonly key: Key
  readonly resolve: (answer: Answer) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Returns a function that asks about one key. It asks immediately while few questions are in progress. While many are
 * in progress, callers wait. The next question then covers up to `keysMax` keys of waiting callers. A question is asked
 * only after the requests of its callers, so no caller gets an older answer. `ask` returns one answer for each key, in
 * the same order. If a question fails, it fails for all callers that share it.
 */
export function gather<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
  keysMax: number,
): (key: Key) => Promise<Answer> {
  const waiting: Asked<Key, Answer>[] = []
  let underWay = 0
  const work = async () => {
    underWay += 1
    while (waiting.length > 0) await answerAll(ask, waiting.splice(0, keysMax))
    underWay -= 1
  }
  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (underWay < UNDER_WAY_MAX) void work()
    })
}

async function answerAll<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<readonly Answer[]>,
  batch: readonly Asked<Key, Answer>[],
): Promise<void> {
  try {
    const answers = await ask(batch.map(({ key }) => key))
    if (answers.length !== batch.length) throw new Error('a shared question has too few answers')
    // There are as many answers as callers.
    for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
  } catch (error) {
    for (const { reject } of batch) reject(error)
  }
}
