import { FieldError } from './field-error.tsx'

interface Props {
  readonly value: string
  readonly change: (recipient: string) => void
  readonly error: string | undefined
  readonly isOwn: boolean
}

/** The field for the recipient's address. */
export function RecipientField({ value, change, error, isOwn }: Props) {
  return (
    <div class="field">
      <label for="recipient">Recipient’s address</label>
      <input
        id="recipient"
        class="mono"
        autoComplete="off"
        autoCapitalize="none"
        spellcheck={false}
        placeholder="Any Solana wallet"
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby="recipient-error"
        onInput={({ currentTarget }) => change(currentTarget.value)}
      />
      <FieldError id="recipient-error" text={error} />
      {isOwn ? <p class="hint">This is your own wallet, from which you pay.</p> : null}
    </div>
  )
}
