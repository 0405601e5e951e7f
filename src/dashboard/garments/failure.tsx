import { failureReason } from '../../garment/errors/failure.ts'
import type { GarmentRow } from '../../garment/to-garment-response.ts'
import { isUploadedFile } from '../../garment/uploaded-file.ts'
import { contentTypes, formatNames } from '../../vision/image/formats.ts'
import { Allowed } from '../parts/allowed.tsx'
import { Frame, HiddenFields, inputAttributes } from '../parts/fields.tsx'
import { withQuery } from '../parts/list.tsx'
import { retryPath, retryWithFilePath } from '../paths.ts'
import type { ListValues } from './list/read-filter.ts'

interface FailureProps {
  readonly garment: GarmentRow
  readonly list: ListValues
}

/** The failure reason, and a form that tags the garment again with the attributes that it has. */
export const Failure = ({ garment: { uuid, imageUrl, failureReason: reason }, list }: FailureProps) => (
  <div class="notice bad">
    <p class="title">{failureReason(reason)}</p>
    <p>
      <a href="/docs/guides/errors#garments-that-failed">What to do</a>
    </p>
    <Allowed to="POST /dashboard/garment/retry">
      {isUploadedFile(imageUrl) ? <RetryWithFile uuid={uuid} list={list} /> : <Retry uuid={uuid} list={list} />}
    </Allowed>
  </div>
)

interface RetryProps {
  readonly uuid: string
  readonly list: ListValues
}

const Retry = ({ uuid, list }: RetryProps) => (
  <>
    <p>Fix the picture, then tag it again under the same uuid.</p>
    <form method="post" action={withQuery(retryPath, list)}>
      <HiddenFields fields={{ uuid }} />
      <button class="plain">Tag again</button>
    </form>
  </>
)

/** The file is last, so that it can be streamed. */
const RetryWithFile = ({ uuid, list }: RetryProps) => {
  const file = {
    form: { values: {} },
    name: 'image',
    label: 'Another picture',
    hint: `${formatNames}, at most 20 MiB.`,
  }
  return (
    <form method="post" action={withQuery(retryWithFilePath, list)} enctype="multipart/form-data" novalidate>
      <HiddenFields fields={{ uuid }} />
      <Frame {...file}>
        <input {...inputAttributes(file)} type="file" accept={contentTypes.join(',')} />
      </Frame>
      <button class="plain">Upload and tag again</button>
    </form>
  )
}
