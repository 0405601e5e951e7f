/** What a receiver answered; a stranger's text, shown as text. */
export const Answered = ({ body, label = 'Answer' }: { body: string; label?: string }) =>
  body === '' ? null : (
    <pre class="wrap answer" tabindex={0} role="region" aria-label={label}>
      <code>{body}</code>
    </pre>
  )
