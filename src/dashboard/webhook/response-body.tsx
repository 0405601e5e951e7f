/** A receiver's response body. It is untrusted, and shown as text. */
export const ResponseBody = ({ body, label = 'Response' }: { body: string; label?: string }) =>
  body === '' ? null : (
    <pre class="wrap response" tabindex={0} role="region" aria-label={label}>
      <code>{body}</code>
    </pre>
  )
