import { failureCode, failureReason } from '../../garments/failure.ts'

type Code = Exclude<ReturnType<typeof failureCode>, ''>

const newPicture = 'Take another photograph, or save it again as JPEG.'
const otherAddress = 'Give an address that opens in any browser.'
const smaller = 'Save it smaller, as JPEG.'
const again = 'Try again.'

const advices: Readonly<Record<Code, string>> = {
  url_refused: otherAddress,
  redirect_refused: otherAddress,
  too_many_redirects: otherAddress,
  host_not_found: otherAddress,
  host_unreachable: 'Check that the address opens, then try again.',
  host_timeout: 'Check that the address opens, then try again.',
  host_status: 'Check that the address opens, then try again.',
  encoding_broken: otherAddress,
  image_empty: newPicture,
  image_too_large: smaller,
  file_removed: 'Upload it again.',
  unknown_format: newPicture,
  unsupported_format: newPicture,
  web_page: 'Give the address of the picture itself.',
  no_pixels: newPicture,
  too_many_megapixels: smaller,
  edge_too_long: smaller,
  too_small: 'Use a larger photograph.',
  unsupported_jpeg: newPicture,
  animated_webp: newPicture,
  cut_off: newPicture,
  damaged: newPicture,
  damaged_header: newPicture,
  damaged_chunk: newPicture,
  palette_missing: newPicture,
  size_missing: newPicture,
  no_scan: newPicture,
  too_many_chunks: newPicture,
  too_many_segments: newPicture,
  too_many_scans: newPicture,
  no_garment: 'Photograph the whole garment on a plain background, or describe it by hand.',
  not_processed: again,
  other: again,
}

/** Returns why a garment failed, and what to do about it. Empty without a failure. */
export function failureAdvice(stored: string | null): string {
  const code = failureCode(stored)
  if (code === '') return ''
  const reason = failureReason(stored)
  return code === 'not_processed' && reason.includes('again') ? reason : `${reason} ${advices[code]}`
}
