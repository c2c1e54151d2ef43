import { useState } from 'preact/hooks'
import { restoreFile } from '../../model/balance/restore-file.ts'
import type { Problem } from '../../model/problems.ts'
import { ProblemNote } from '../problem-note.tsx'
import { ViewHeading } from '../view-heading.tsx'
import type { BalanceProps } from './balance-props.ts'
import { BackButton } from './back-button.tsx'

/** Restores a balance from its file into this browser. */
export function RestoreFile({ book, config, wallet }: BalanceProps) {
  const [isReading, setReading] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const read = async (file: File | undefined) => {
    if (file === undefined || isReading) return
    setProblem(undefined)
    setReading(true)
    const restored = await restoreFile(config, file)
    setReading(false)
    if (restored.kind === 'restored') book.open(restored.name)
    else if (restored.kind === 'unfinished') await book.topUp.resume(restored.name, wallet?.signer)
    else setProblem(restored.problem)
  }
  return (
    <div class="card narrow">
      <ViewHeading>Use a balance file</ViewHeading>
      <p>
        Choose the file that you saved when you paid in. Its name starts with sotto-balance. This
        browser reads the file and asks the chain what is left. The file itself is sent nowhere.
      </p>
      <div class="field">
        <label for="balance-file">Your balance file</label>
        <input
          id="balance-file"
          type="file"
          accept=".txt,text/plain"
          disabled={isReading}
          onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        />
      </div>
      <p class="hint" role="status">
        {isReading ? 'Reading the remaining amount from the chain…' : ''}
      </p>
      {problem === undefined ? null : <ProblemNote problem={problem} />}
      <p class="hint">
        The file brings the money back, but not the list of payments that were made before. Use a
        balance in one browser at a time.
      </p>
      <BackButton back={() => book.go({ kind: 'list' })} />
    </div>
  )
}
