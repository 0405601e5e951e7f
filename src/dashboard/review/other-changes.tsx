import { Notice } from '../parts/text.tsx'
import type { OtherChange } from './stale-form.ts'

export const OtherChanges = ({ changes }: { changes: readonly OtherChange[] }) => (
  <Notice tone="bad" title="Somebody else has changed this garment since you opened this form.">
    <p>Nothing of yours was saved yet. What you did not touch now has their values:</p>
    <ul>
      {changes.map(({ name, value }) => (
        <li>
          {name.slice(name.indexOf('.') + 1)}: {value === '' ? 'empty' : value}
        </li>
      ))}
    </ul>
    <p>Check your values, then save again.</p>
  </Notice>
)
