/**
 * A picture that no further try can tag: the garment ends `failed` and `message` is shown to the client as the
 * failure reason.
 */
export class PermanentFault extends Error {
  override name = 'PermanentFault'
}

/** Something that may pass, such as an image host that is down: tried again, and shown to the client after the last try. */
export class PassingFault extends Error {
  override name = 'PassingFault'
}
