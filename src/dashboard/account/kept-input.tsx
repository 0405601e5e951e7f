import type { FormValues } from '../form.ts'
import { HiddenFields } from '../parts/fields.tsx'
import { Heading } from '../parts/text.tsx'

/** Input that was submitted after the session had ended. The user can now submit it again. */
export const KeptInput = ({ path, values }: { path: string; values: FormValues }) => (
  <div class="narrow">
    <Heading title="You are signed in again" lead="Your input was kept. Nothing has been saved yet." />
    <form class="card" method="post" action={path}>
      <HiddenFields fields={values} />
      <p>Passwords and secrets were not kept; the form asks for them again where it needs them.</p>
      <div class="actions">
        <button>Continue with my input</button>
        <a href="/dashboard">Discard it</a>
      </div>
    </form>
  </div>
)
