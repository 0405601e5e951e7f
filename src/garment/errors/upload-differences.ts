import { boundText } from '../../bounds/bound-text.ts'
import { attributeSchema } from '../fields.ts'
import { contentOf, uploadedFileName } from '../uploaded-file.ts'

interface StoredContent {
  readonly image_url: string
  /** JSON. */
  readonly attribute: string
}

interface Content {
  readonly imageUrl: string
  /** JSON. */
  readonly attribute: string
}

const parseAttribute = (json: string) => attributeSchema.parse(JSON.parse(json))

/** An address may have 2,048 characters, and an attribute 512. */
const maxShown = 100

const shown = (text: string) => `"${boundText(text, maxShown)}"`

/** What an upload has that differs from the garment that is stored under its uuid, and which call helps. */
export function uploadDifferences(stored: StoredContent, given: Content): string[] {
  const ofImage =
    contentOf(stored.image_url) === contentOf(given.imageUrl)
      ? []
      : [
          `image_url: this uuid has the image ${shown(uploadedFileName(stored.image_url) ?? stored.image_url)}; ` +
            'DELETE /garment-tagging/garment?uuid= removes it, or use another uuid',
        ]
  const [storedOnes, givenOnes] = [parseAttribute(stored.attribute), parseAttribute(given.attribute)]
  const names = [...new Set([...Object.keys(storedOnes), ...Object.keys(givenOnes)])]
  const ofAttribute = names.flatMap((name) => {
    const [before, now] = [storedOnes[name], givenOnes[name]]
    if (before === now) return []
    const is = before === undefined ? 'this uuid has none' : `this uuid has ${shown(before)}`
    return [`attribute.${name}: ${is}; PATCH /garment-tagging/garment?uuid= changes it`]
  })
  return [...ofImage, ...ofAttribute]
}
