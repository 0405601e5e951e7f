/** A picture that cannot be tagged, however often it is tried. `message` is a sentence for the client. */
export class PictureError extends Error {
  override name = 'PictureError'
}
