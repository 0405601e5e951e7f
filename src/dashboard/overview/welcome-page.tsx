import { Allowed } from '../parts/allowed.tsx'
import { Empty, Heading, Notice } from '../parts/text.tsx'
import { ShopForm, tenantDefaults, TenantForm } from '../tenant/tenant-form.tsx'
import { Steps, type Purpose } from './steps.tsx'

interface WelcomePageProps {
  readonly name: string
  readonly wasDeleted: boolean
  /** Undefined until one is chosen. */
  readonly purpose: Purpose | undefined
}

/** The overview for a merchant without a tenant. */
export const WelcomePage = ({ name, wasDeleted, purpose }: WelcomePageProps) => (
  <>
    {wasDeleted && <Notice tone="good" title="The tenant was deleted." />}
    <Heading title={`Welcome, ${name}`} lead="What would you like to do first? The other can be added at any time." />
    <Allowed to="POST /dashboard/tenant" otherwise={<NoTenant />}>
      {purpose === undefined ? (
        <Purposes />
      ) : (
        <Steps
          purpose={purpose}
          done={{ tenant: false, key: false, garment: false, webhook: false, delivered: false }}
          open={
            purpose === 'here' ? (
              <ShopForm form={{ values: tenantDefaults }} />
            ) : (
              <TenantForm form={{ values: tenantDefaults }} />
            )
          }
        />
      )}
    </Allowed>
  </>
)

const NoTenant = () => (
  <Empty title="There is no tenant yet">
    <p>An owner of the account has to create one.</p>
  </Empty>
)

const Purposes = () => (
  <div class="halves">
    <section class="card" aria-labelledby="here">
      <h2 id="here">Describe garments here</h2>
      <p>Photograph or choose pictures, put right what is wrong, and take titles, texts and sizes to your shop.</p>
      <a class="button" href="/dashboard?purpose=here">
        Describe garments here
      </a>
    </section>
    <section class="card" aria-labelledby="api">
      <h2 id="api">Connect my shop by API</h2>
      <p>Your system sends addresses of pictures with an API key, and receives each result by a webhook.</p>
      <a class="button plain" href="/dashboard?purpose=api">
        Connect my shop by API
      </a>
    </section>
  </div>
)
