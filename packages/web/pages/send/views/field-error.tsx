interface Props {
  readonly id: string
  readonly text: string | undefined
}

/** A field's error, linked as its description; always present, so that screen readers announce it. */
export function FieldError({ id, text }: Props) {
  return (
    <p id={id} class="field-error" aria-live="polite">
      {text ?? ''}
    </p>
  )
}
