interface Props {
  readonly walletName: string
  /** False until the person has saved the file. */
  readonly isReady: boolean
  /** What the person must do first. It is shown while `isReady` is false. */
  readonly why: string
  readonly answer: (isSigned: boolean) => void
}

/** Two buttons: one asks the wallet to sign, the other cancels. */
export function SignButtons({ walletName, isReady, why, answer }: Props) {
  return (
    <>
      <div class="row">
        <button
          type="button"
          class={isReady ? 'first' : 'second'}
          aria-disabled={!isReady}
          aria-describedby="sign-why"
          onClick={() => isReady && answer(true)}
        >
          Sign in {walletName}
        </button>
        <button type="button" class="quiet" onClick={() => answer(false)}>
          Cancel
        </button>
      </div>
      <p id="sign-why" class="hint">
        {isReady ? '' : why}
      </p>
    </>
  )
}
