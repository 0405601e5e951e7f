/** An image that can never be fetched: the garment ends `failed`, and `message` is shown to the client as the reason. */
export class PermanentFault extends Error {
  override name = 'PermanentFault'
}

/** A failure that may pass, such as an image host that is down: tried again; the client sees `message` after the last try. */
export class PassingFault extends Error {
  override name = 'PassingFault'
}
