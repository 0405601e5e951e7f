import type { Build } from '../taxonomy/types.ts'
import type { Sleeve } from '../taxonomy/values.ts'
import type { Layout } from './landmarks.ts'
import { findCrotch, locateLegs } from './locate-legs.ts'
import { locateBox, locateShoe, locateSkirt } from './locate-skirt.ts'
import { locateOnePiece, locateTop } from './locate-top.ts'
import type { Silhouette } from './silhouette.ts'

/**
 * Landmarks and measuring lines of a garment whose build is known, in its own frame (pixels of the silhouette).
 * @param sleeve what the sleeves are known to be; `undefined` for what has none to have
 */
export function locateGarment(build: Build, silhouette: Silhouette, sleeve: Sleeve | undefined): Layout {
  switch (build) {
    case 'legs':
      return locateLegs(silhouette, findCrotch(silhouette)?.v ?? silhouette.top + silhouette.height / 2)
    case 'skirt':
      return locateSkirt(silhouette)
    case 'bag':
    case 'hat':
      return locateBox(silhouette)
    case 'shoe':
      return locateShoe(silhouette)
    case 'boot':
    case 'strip':
    case 'set':
      return { landmarks: {}, lines: [] }
    case 'top':
      return locateTop(silhouette, sleeve)
    case 'one-piece':
      return locateOnePiece(silhouette, sleeve)
  }
}
