interface Props {
  readonly id: string
  readonly text: string | undefined
}

/** What is wrong with a field, where its description is looked for; always there, so that it is read. */
export function FieldError({ id, text }: Props) {
  return (
    <p id={id} class="field-error" aria-live="polite">
      {text ?? ''}
    </p>
  )
}
