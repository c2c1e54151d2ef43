interface Props {
  readonly id: string
  readonly text: string | undefined
}

/**
 * A field's error, which is linked to the field as its description. The element is always present, so that screen
 * readers announce a new error.
 */
export function FieldError({ id, text }: Props) {
  return (
    <p id={id} class="field-error" aria-live="polite">
      {text ?? ''}
    </p>
  )
}
