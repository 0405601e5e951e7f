import type { Child } from 'hono/jsx'
import type { FormValues } from '../form.ts'
import { binPath, binRestorePath } from '../paths.ts'
import { PostForm } from './form-fields.tsx'
import { selectField } from './list-parts.tsx'

const linksEnded = 'If they were an owner, their open invitations and password links no longer work.'

const undoInBin = (
  <p>
    <a href={binPath}>Undo in the bin</a>
  </p>
)

const savedEndpoint = ['Saved.', <p>If you replaced the secret, the old one also signs for 24 hours.</p>] as const

const confirmations: Readonly<Record<string, readonly [text: string, more?: Child]>> = {
  '/dashboard?done=tenant-deleted': ['The shop was deleted.'],
  '/dashboard/account?done=password': ['Your password was changed. All other sessions and access tokens have ended.'],
  '/dashboard/account?done=recovered': [
    'Your new password is set. The code is used up, and all other sessions have ended.',
  ],
  '/dashboard/account?done=details': ['Your details were saved.'],
  '/dashboard/bin?done=erased': ['The selected items were deleted permanently.'],
  '/dashboard/bin?done=restored': ['The deletion was undone.'],
  '/dashboard/deliveries?done=accepted': ['The deliveries are sent again within minutes, oldest first.'],
  '/dashboard/export?done=defaults-saved': ['The defaults were saved.'],
  '/dashboard/export?done=file-saved': ['Your file was saved.'],
  '/dashboard/garment?done=pictures': ['The pictures were saved. The garment is described again.'],
  '/dashboard/garment?done=split': ['These pictures are a garment of their own now. Both are described again.'],
  '/dashboard/garment?done=merged': ['The garments were merged. The garment is described again.'],
  '/dashboard/garment?done=undone': ['The change was undone.'],
  '/dashboard/garments?done=cells': ['The changed cells were saved.'],
  '/dashboard/garments?done=filter-saved': ['The filter was saved.'],
  '/dashboard/garments?done=filter-removed': ['The filter was removed.'],
  '/dashboard/garments?done=deleted': ['The garment is in the bin.'],
  '/dashboard/garments?done=all_deleted': ['The selected garments are in the bin.'],
  '/dashboard/imports?done=deleted': ['The import is in the bin.', undoInBin],
  '/dashboard/imports?done=all_deleted': ['The selected imports are in the bin.', undoInBin],
  '/dashboard/keys?done=revoked': ['The key was revoked. Requests with it are now rejected.'],
  '/dashboard/review?done=saved': ['Your choice was saved. It applies to all garments within a minute.'],
  '/dashboard/team?done=role': [`The role was changed. ${linksEnded}`],
  '/dashboard/team?done=removed': [
    `The member was removed and signed out everywhere. Revoke the API keys that they know. ${linksEnded}`,
  ],
  '/dashboard/team?done=withdrawn': ['The invitation was withdrawn.'],
  '/dashboard/tenant?done=settings-saved': ['The shop was saved.'],
  '/dashboard/tenant?done=studio-saved': ['The studio was saved. It applies to garments that you upload from now on.'],
  '/dashboard/tenant?done=studio-removed': ['The studio was removed.'],
  '/dashboard/tenant?done=retention-saved': ['The period was saved.'],
  '/dashboard/webhook?done=deleted': ['The endpoint was deleted.'],
  '/dashboard/webhook?done=saved': savedEndpoint,
  '/dashboard/webhook/endpoint?done=saved': savedEndpoint,
  '/dashboard/webhook/endpoint?done=enabled': ['The endpoint is on again.'],
}

interface DoneToastProps {
  readonly path: string
  readonly done: string | undefined
  readonly binned: readonly string[]
}

interface ToastProps {
  readonly text: string
  readonly undo?: { readonly action: string; readonly fields?: FormValues } | undefined
  readonly children?: Child
}

export const Toast = ({ text, undo, children }: ToastProps) => (
  <div class="toast" role="status">
    <p>{text}</p>
    {children}
    {undo && <PostForm {...undo} button="Undo" kind="plain" />}
  </div>
)

export const DoneToast = ({ path, done, binned }: DoneToastProps) => {
  const found = confirmations[`${path}?done=${done}`]
  if (found === undefined) return null
  const restored = { kind: 'garments', ...Object.fromEntries(binned.map((uuid) => [selectField(uuid), 'yes'])) }
  const undo = binned.length === 0 ? undefined : { action: binRestorePath, fields: restored }
  return (
    <Toast text={found[0]} undo={undo}>
      {found[1]}
    </Toast>
  )
}
