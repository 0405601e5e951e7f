import { Heading, Notice } from '../parts/text.tsx'
import { tenantDefaults, TenantForm } from '../tenant/tenant-form.tsx'
import { Steps } from './steps.tsx'

/** The overview for a merchant without a tenant. */
export const WelcomePage = ({ name, wasDeleted }: { name: string; wasDeleted: boolean }) => (
  <>
    {wasDeleted && <Notice tone="good" title="The tenant was deleted." />}
    <Heading
      title={`Welcome, ${name}`}
      lead="Five steps until results arrive in your system. You can do all of them here."
    />
    <Steps
      done={{ tenant: false, key: false, garment: false, webhook: false, delivered: false }}
      open={<TenantForm form={{ values: tenantDefaults }} />}
    />
  </>
)
