/** Text that wraps in a table; text in backticks is code. */
export function Prose({ text }: { readonly text: string }) {
  return (
    <span class="prose">
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </span>
  )
}
