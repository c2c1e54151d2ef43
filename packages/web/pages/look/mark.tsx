/** The product's logo. It shows a voice that becomes quieter. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d="M6 8v16" />
      <path d="M12.5 10.8v10.4" opacity=".8" />
      <path d="M19 13.2v5.6" opacity=".62" />
      <path d="M25.4 15.2v1.6" opacity=".5" />
    </svg>
  )
}
