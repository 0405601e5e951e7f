import { Check } from '../parts/fields.tsx'

interface PermissionProps {
  readonly allowsOpinion: boolean
  /** Whether the service asks for second opinions at present. */
  readonly isUsed: boolean
}

/** Whether pictures of the tenant may be sent to a model of the platform. */
export const Permission = ({ allowsOpinion, isUsed }: PermissionProps) => (
  <section class="card" aria-labelledby="second-opinion">
    <h2 id="second-opinion">Second opinion</h2>
    <p class="lead">
      Where the tagger is unsure, this service can ask a larger model of Cloudflare Workers AI. It is sent the part of
      the picture that shows the garment, and nothing else of yours.{' '}
      {isUsed ? 'It is in use.' : 'The service does not do that at present.'}{' '}
      <a href="/docs/guides/second-opinion">What it changes</a>
    </p>
    <form method="post" action="/dashboard/tenant/second-opinion" novalidate>
      <Check
        form={{ values: { allowed: allowsOpinion ? 'yes' : '' } }}
        name="allowed"
        label="My pictures may be sent to it"
      />
      <button class="plain">Save choice</button>
    </form>
  </section>
)
