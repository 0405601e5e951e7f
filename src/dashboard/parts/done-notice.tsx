import type { Child } from 'hono/jsx'
import { binPath } from '../paths.ts'
import { Notice } from './elements.tsx'

const linksEnded = 'If they were an owner, open invitations and links for passwords have ended.'

const inBin = (
  <p>
    <a href={binPath}>Open the bin</a> to bring it back.
  </p>
)

/** Confirmations after a form was submitted, by path and `done` parameter. */
const texts = new Map<string, readonly [title: string, more?: Child]>([
  ['/dashboard?done=tenant-deleted', ['The shop was deleted.']],
  ['/dashboard/account?done=password', ['The password was changed. All other sessions and access tokens were ended.']],
  ['/dashboard/account?done=details', ['Your details were saved.']],
  ['/dashboard/bin?done=erased', ['The selected are deleted for ever.']],
  ['/dashboard/bin?done=restored', ['The selected are back where they were.']],
  ['/dashboard/deliveries?done=accepted', ['Accepted: they are sent again within minutes, the oldest first.']],
  ['/dashboard/export?done=defaults-saved', ['The defaults are saved.']],
  ['/dashboard/export?done=file-saved', ['Your file is saved, and listed below.']],
  ['/dashboard/garments?done=deleted', ['The garment is in the bin.', inBin]],
  ['/dashboard/garments?done=all_deleted', ['The selected garments are in the bin.', inBin]],
  ['/dashboard/imports?done=deleted', ['The import is in the bin.']],
  ['/dashboard/imports?done=all_deleted', ['The selected imports are in the bin.']],
  ['/dashboard/keys?done=revoked', ['The key was revoked. Requests with it are now rejected.']],
  ['/dashboard/review?done=saved', ['Your choice was saved. Garments follow within a minute.']],
  ['/dashboard/team?done=role', [`The role was changed. It holds from now on. ${linksEnded}`]],
  [
    '/dashboard/team?done=removed',
    [`The member was removed, and is signed out everywhere. Revoke the API keys that they know. ${linksEnded}`],
  ],
  ['/dashboard/team?done=withdrawn', ['The invitation was withdrawn.']],
  ['/dashboard/tenant?done=settings-saved', ['The shop was saved.']],
  ['/dashboard/tenant?done=studio-saved', ['The studio was saved. It applies to garments uploaded from now on.']],
  ['/dashboard/tenant?done=studio-removed', ['The studio was removed.']],
  ['/dashboard/tenant?done=retention-saved', ['The period was saved.']],
  [
    '/dashboard/tenant?done=choice-saved',
    ['Your choice was saved. It applies to garments that are tagged from now on.'],
  ],
  ['/dashboard/webhook?done=deleted', ['The endpoint was deleted.']],
  ...['/dashboard/webhook', '/dashboard/webhook/endpoint'].map((path): [string, [string, Child?]] => [
    `${path}?done=saved`,
    ['Saved.', <p>If you replaced the secret, the old one also signs for 24 hours.</p>],
  ]),
  ['/dashboard/webhook/endpoint?done=enabled', ['Switched on.']],
])

export function doneNotice(path: string, done: string | undefined): Child {
  const found = texts.get(`${path}?done=${done}`)
  return found === undefined ? null : (
    <Notice tone="good" title={found[0]}>
      {found[1]}
    </Notice>
  )
}
