import { Hono } from 'hono'
import { useContext } from 'hono/jsx'
import { deleteSavedFilter, putSavedFilter, savedFilterSchema } from '../../accounts/saved-filters.ts'
import { formBody, parseFields, readForm } from '../form.ts'
import { CurrentViewer } from '../parts/elements.tsx'
import { Field, Form } from '../parts/form-fields.tsx'
import { withQuery } from '../parts/list-parts.tsx'
import { garmentsPath, savedFilterRemovalPath, savedFiltersPath } from '../paths.ts'
import { type DashboardEnv, forTenant } from '../viewer.ts'
import { listValues, type ListValues } from './garment-filter.tsx'

const toQuery = (values: ListValues) => withQuery('', values).slice(1)

/** Links a member's saved filters. Offers to save the list's filter, or to remove it if it is saved. */
export const SavedFilters = ({ values }: { values: ListValues }) => {
  const filters = useContext(CurrentViewer)?.savedFilters ?? []
  const current = toQuery(values)
  const saved = filters.find(({ query }) => query === current)
  return (
    <>
      {filters.map(({ name, query }) => (
        <a class="chip saved" href={`${garmentsPath}?${query}`} aria-current={query === current ? 'page' : undefined}>
          {name}
        </a>
      ))}
      {saved !== undefined && (
        <Form action={withQuery(savedFilterRemovalPath, values)} fields={{ name: saved.name }}>
          <button class="quiet">Remove this filter</button>
        </Form>
      )}
      {saved === undefined && current !== '' && (
        <details class="chip" name="list-menu">
          <summary>Save this filter</summary>
          <Form class="panel" action={withQuery(savedFiltersPath, values)}>
            <Field name="name" label="Name" hint="Such as “To photograph again”." />
            <button class="plain">Save</button>
          </Form>
        </details>
      )}
    </>
  )
}

export const savedFilterPages = new Hono<DashboardEnv>()

savedFilterPages.post(savedFiltersPath, formBody, forTenant, async (c) => {
  const { memberId, savedFilters } = c.get('viewer')
  const values = listValues(c.req.query())
  const { name = '' } = await readForm(c)
  const filter = parseFields(savedFilterSchema, { name, query: toQuery(values) })
  await putSavedFilter(c.get('accounts'), memberId, savedFilters, filter)
  return c.redirect(withQuery(garmentsPath, { ...values, done: 'filter-saved' }), 303)
})

savedFilterPages.post(savedFilterRemovalPath, formBody, forTenant, async (c) => {
  const { memberId, savedFilters } = c.get('viewer')
  const { name = '' } = await readForm(c)
  await deleteSavedFilter(c.get('accounts'), memberId, savedFilters, name)
  return c.redirect(withQuery(garmentsPath, { ...listValues(c.req.query()), done: 'filter-removed' }), 303)
})
