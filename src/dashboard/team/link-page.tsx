import { Copyable, Heading, Notice } from '../parts/text.tsx'

interface LinkPageProps {
  readonly title: string
  readonly lead: string
  readonly link: string
}

/** A link that is shown in this response only. */
export const LinkPage = ({ title, lead, link }: LinkPageProps) => (
  <div class="narrow">
    <Heading title={title} lead={lead} />
    <Notice tone="busy" title="Copy it now. It is shown only once.">
      <p>Pass it on in a way that only its receiver can read: whoever opens it first can use it.</p>
    </Notice>
    <section class="card">
      <Copyable text={link} label="link" wrap />
    </section>
    <p class="actions">
      <a class="button" href="/dashboard/team">
        I have copied it
      </a>
    </p>
  </div>
)
