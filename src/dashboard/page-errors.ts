import { ApiError, maxBodyText } from '../platform/http/errors.ts'

export const foreignForm = () =>
  new ApiError('forbidden', 'This form did not come from the dashboard', [
    'Nothing was changed. Open the page here and submit its form.',
  ])

export const pageNotFound = () =>
  new ApiError('not_found', 'Page not found', ['There is no page at this address. Check the spelling.'])

export const unsupportedForm = () =>
  new ApiError('unsupported_media_type', 'Unsupported form', ['Submit the form from its page.'])

export const formTooLarge = () =>
  new ApiError('body_too_large', 'Form too large', [`A form may have at most ${maxBodyText}.`])

export const notDeleted = (problem: string) => new ApiError('invalid_body', 'Not deleted', [`confirmation: ${problem}`])

export const garmentPageNotFound = () =>
  new ApiError('garment_not_found', 'Garment not found', ['There is no such garment. It may have been deleted.'])

export const deliveryPageNotFound = () =>
  new ApiError('delivery_not_found', 'Delivery not found', ['There is no webhook delivery for this uuid.'])

export const notCorrectable = () =>
  new ApiError('garment_not_complete', 'Garment not complete', [
    'Only a complete garment can be corrected. Wait until it has been described, or upload it again if it failed.',
  ])

export const emptyFile = () => new ApiError('invalid_body', 'No image', ['image: choose a file that is not empty'])

export const csvTooLarge = (mebibytes: number) =>
  new ApiError('body_too_large', 'File too large', [`A CSV file may have at most ${mebibytes} MiB.`])
