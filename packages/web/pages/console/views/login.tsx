import { useState } from 'preact/hooks'
import { logIn } from '../model/console-api.ts'

/** Asks for the operator's token, and uses it to start a session. The page doesn't store the token. */
export function Login({ entered }: { readonly entered: () => Promise<void> }) {
  const [token, setToken] = useState('')
  const [trouble, setTrouble] = useState('')
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setBusy(true)
    setTrouble('')
    try {
      await logIn(token.trim())
      setToken('')
      await entered()
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : 'The request failed.')
      setBusy(false)
    }
  }
  return (
    <form class="card login" onSubmit={(event) => void submit(event)}>
      <h1>Operator console</h1>
      {/* Password managers store a token together with a name. */}
      <input type="text" autoComplete="username" value="operator" readOnly hidden />
      <div class="field">
        <label for="token">Operator token</label>
        <input
          id="token"
          type="password"
          autoComplete="current-password"
          value={token}
          aria-invalid={trouble !== ''}
          aria-describedby="token-error token-hint"
          onInput={({ currentTarget }) => setToken(currentTarget.value)}
        />
        <p id="token-error" class="field-error" role="alert">
          {trouble}
        </p>
        <p id="token-hint" class="hint">
          The token is in the file <span class="mono">operator-token</span> of the keystore. A
          session ends after eight hours, or when the process ends.
        </p>
      </div>
      <button type="submit" class="first" aria-disabled={isBusy || token === ''}>
        Log in
      </button>
    </form>
  )
}
